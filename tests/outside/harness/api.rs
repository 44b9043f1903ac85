//! The routes of the API, from its description. `server/tests/openapi.rs` keeps the
//! description equal to the route table.

use serde_json::Value;

pub struct ApiRoute {
    pub method: String,
    pub path: String,
    /// Parameters of path and query, and fields of the body.
    pub inputs: Vec<String>,
}

/// Every route, sorted by path.
pub fn routes() -> Vec<ApiRoute> {
    let text = include_str!("../../../generator/assets/openapi.json");
    let api: Value = serde_json::from_str(text).unwrap();
    let mut found = Vec::new();
    for (path, methods) in api["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let inputs = inputs(&api, operation);
            found.push(ApiRoute { method: method.to_uppercase(), path: path.clone(), inputs });
        }
    }
    assert!(found.len() > 40, "the description is read");
    found
}

fn inputs(api: &Value, operation: &Value) -> Vec<String> {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let mut names: Vec<String> = parameters
        .map(|parameter| resolved(api, parameter))
        .filter(|parameter| parameter["in"] != "header")
        .map(|parameter| parameter["name"].as_str().unwrap().to_owned())
        .collect();
    for content in operation["requestBody"]["content"].as_object().into_iter().flatten() {
        let schema = resolved(api, &content.1["schema"]);
        names.extend(schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone()));
    }
    names
}

/// A value of the description, or the one that its `$ref` names.
fn resolved<'a>(api: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(reference) => api.pointer(reference.trim_start_matches('#')).unwrap(),
        None => value,
    }
}
