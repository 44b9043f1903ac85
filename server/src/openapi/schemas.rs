//! Records as JSON Schemas (2020-12, which is OpenAPI 3.1's dialect).

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};

/// The schemas that the document refers to. Records that are sent and records
/// that are read differ: a field with a default is optional only when read.
pub struct Schemas {
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

/// Forbids properties that the schema of a sent record does not have.
fn close(schema: &mut Schema) {
    if schema.get("properties").is_some() && schema.get("additionalProperties").is_none() {
        schema.insert("additionalProperties".to_owned(), false.into());
    }
}

impl Schemas {
    /// A reference to the schema of a record that is sent.
    pub(super) fn sent<T: JsonSchema>(&mut self) -> Value {
        self.sent.subschema_for::<T>().to_value()
    }

    /// A reference to the schema of a record that is read.
    pub(super) fn read<T: JsonSchema>(&mut self) -> Value {
        self.read.subschema_for::<T>().to_value()
    }

    /// All schemas, by name.
    ///
    /// Errors: a record has one schema when sent and another when read.
    pub(super) fn into_definitions(mut self) -> Result<Map<String, Value>, String> {
        let mut all = self.sent.take_definitions(true);
        for (name, schema) in self.read.take_definitions(true) {
            if all.get(&name).is_some_and(|sent| *sent != schema) {
                return Err(format!("the schema {name} is not the same when sent and when read"));
            }
            all.insert(name, schema);
        }
        Ok(all)
    }
}
