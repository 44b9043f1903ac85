//! People in public.

use serde::{Deserialize, Serialize};

use crate::names::Handle;

/// How a person is shown in public.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// The handle, which never changes.
    pub handle: Handle,
    /// The display name.
    pub display_name: String,
}
