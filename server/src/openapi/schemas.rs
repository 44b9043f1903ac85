//! Records as JSON Schemas (2020-12, which is OpenAPI 3.1's dialect).

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};

/// The schemas that the document refers to. What is sent and what is read are
/// made apart: a field that is always sent may be left out when it is read.
pub(super) struct Schemas {
    sent: SchemaGenerator,
    read: SchemaGenerator,
}

impl Default for Schemas {
    fn default() -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        });
        let sent = settings.clone().for_serialize().with_transform(RecursiveTransform(close));
        Self { sent: sent.into_generator(), read: settings.for_deserialize().into_generator() }
    }
}

/// Nothing is sent but what is described.
fn close(schema: &mut Schema) {
    if schema.get("properties").is_some() && schema.get("additionalProperties").is_none() {
        schema.insert("additionalProperties".to_owned(), false.into());
    }
}

impl Schemas {
    /// A reference to what is sent.
    pub(super) fn sent<T: JsonSchema>(&mut self) -> Value {
        self.sent.subschema_for::<T>().to_value()
    }

    /// A reference to what is read.
    pub(super) fn read<T: JsonSchema>(&mut self) -> Value {
        self.read.subschema_for::<T>().to_value()
    }

    /// All that was referred to, by name. The error names one that is two things.
    pub(super) fn into_definitions(mut self) -> Result<Map<String, Value>, String> {
        let mut all = self.sent.take_definitions(true);
        for (name, schema) in self.read.take_definitions(true) {
            if all.get(&name).is_some_and(|sent| *sent != schema) {
                return Err(format!(
                    "the schema {name} is one thing where it is sent, another where it is read"
                ));
            }
            all.insert(name, schema);
        }
        Ok(all)
    }
}
