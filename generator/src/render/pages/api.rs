//! The description of the API as a page for people, made from the OpenAPI document.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::openapi;
use crate::settings::TreeSettings;

/// The methods of operations, in the order of the page.
const METHODS: [&str; 6] = ["get", "head", "post", "put", "patch", "delete"];

/// The operations of the API in groups, named for the first part of their paths.
pub(super) fn api(settings: &TreeSettings) -> Value {
    let document: Value = serde_json::from_slice(&openapi::document(settings)).unwrap_or_default();
    let mut groups = BTreeMap::<&str, Vec<Value>>::new();
    for (path, methods) in document["paths"].as_object().into_iter().flatten() {
        let group = path.trim_start_matches("/api/v1/").trim_start_matches("/api/").trim_start_matches('/');
        let group = group.split('/').next().filter(|name| !name.is_empty()).unwrap_or("site");
        for method in METHODS {
            if let Some(operation) = methods.get(method) {
                groups.entry(group).or_default().push(shown(&document, path, method, operation));
            }
        }
    }
    let groups =
        groups.into_iter().map(|(name, operations)| json!({ "name": name, "operations": operations }));
    json!({
        "description": text(&document["info"], "description"),
        "base": settings.path(),
        "groups": groups.collect::<Vec<_>>(),
    })
}

fn shown(document: &Value, path: &str, method: &str, operation: &Value) -> Value {
    let parameters = items(&operation["parameters"]).map(|parameter| resolved(document, parameter));
    // Headers are the same for every read, and the description says what they do.
    let parameters = parameters.filter(|parameter| parameter["in"] != "header").map(|parameter| {
        let schema = resolved(document, &parameter["schema"]);
        json!({
            "name": text(parameter, "name"),
            "place": text(parameter, "in"),
            "isRequired": parameter["required"] == true,
            "kind": kind(document, schema),
            "description": text(parameter, "description"),
        })
    });
    let body = resolved(document, &operation["requestBody"]);
    let bodies = body["content"].as_object().into_iter().flatten();
    let fields = bodies.clone().next().map(|(_, body)| fields(document, resolved(document, &body["schema"])));
    let responses = operation["responses"].as_object().into_iter().flatten().map(|(status, response)| {
        let response = resolved(document, response);
        let contents = response["content"].as_object().into_iter().flatten();
        let schema = contents.clone().find_map(|(_, content)| content["schema"]["$ref"].as_str());
        let record = schema.and_then(|path| path.rsplit('/').next()).unwrap_or_default();
        json!({ "status": status, "description": text(response, "description"), "record": record })
    });
    json!({
        "id": text(operation, "operationId"),
        "method": method.to_uppercase(),
        "path": path,
        "summary": text(operation, "summary"),
        "access": access(operation),
        "parameters": parameters.collect::<Vec<_>>(),
        "bodies": bodies.map(|(kind, _)| kind).collect::<Vec<_>>(),
        "fields": fields.unwrap_or_default(),
        "responses": responses.collect::<Vec<_>>(),
    })
}

/// The fields of a body.
fn fields(document: &Value, schema: &Value) -> Vec<Value> {
    let required: Vec<_> = items(&schema["required"]).filter_map(Value::as_str).collect();
    let fields = schema["properties"].as_object().into_iter().flatten();
    let fields = fields.map(|(name, field)| {
        json!({
            "name": name,
            "isRequired": required.contains(&name.as_str()),
            "kind": kind(document, resolved(document, field)),
            "description": text(field, "description"),
        })
    });
    fields.collect()
}

/// The callers that an operation accepts, as a sentence.
fn access(operation: &Value) -> String {
    let ways: Vec<_> = items(&operation["security"]).collect();
    let is_open =
        ways.is_empty() || ways.iter().any(|way| way.as_object().is_some_and(serde_json::Map::is_empty));
    let scopes = ways.iter().filter_map(|way| way.get("token")).flat_map(items).filter_map(Value::as_str);
    let scopes: Vec<_> = scopes.collect();
    match (is_open, scopes.as_slice()) {
        (true, _) => "Everyone".into(),
        (false, []) => "Signed in".into(),
        (false, scopes) => format!("Signed in, or a token with the scope {}", scopes.join(" or ")),
    }
}

/// The type of a value, and its limits.
fn kind(document: &Value, schema: &Value) -> String {
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<_> = values.iter().filter_map(Value::as_str).collect();
        return values.join(", ");
    }
    let name = match &schema["type"] {
        Value::String(name) => name.clone(),
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => items(&schema["anyOf"])
            .map(|one| kind(document, resolved(document, one)))
            .collect::<Vec<_>>()
            .join(" or "),
    };
    match (&schema["minimum"], &schema["maximum"]) {
        (Value::Number(min), Value::Number(max)) => format!("{name}, {min} to {max}"),
        _ => name,
    }
}

/// What a reference leads to; any other value is itself.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str().and_then(|path| document.pointer(path.trim_start_matches('#')));
    target.unwrap_or(value)
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_shown_with_its_facts() {
        let shown = api(&TreeSettings::default());
        let groups: Vec<_> = items(&shown["groups"]).collect();
        let operations: Vec<_> = groups.iter().flat_map(|group| items(&group["operations"])).collect();
        let document: Value = serde_json::from_str(openapi::DOCUMENT).unwrap_or_default();
        let paths = document["paths"].as_object().into_iter().flatten();
        let count: usize =
            paths.filter_map(|(_, methods)| methods.as_object()).map(serde_json::Map::len).sum();
        assert_eq!(operations.len(), count);
        let of = |id: &str| {
            operations.iter().find(|operation| operation["id"] == id).copied().unwrap_or(&Value::Null)
        };
        assert_eq!(of("removeSkill")["access"], "Signed in, or a token with the scope manage");
        assert_eq!(of("showSkill")["access"], "Everyone");
        assert_eq!(of("listSkills")["parameters"][0]["name"], "keyword");
        assert!(operations.iter().all(|operation| operation["summary"] != ""));
    }
}
