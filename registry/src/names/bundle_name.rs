//! Names of bundles.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{NameError, Namespace, Slug};

/// The full name of a bundle. As text it is `+namespace/name`. No slug has a `+`, so no skill has its addresses.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct BundleName {
    /// The namespace.
    pub namespace: Namespace,
    /// The name in the namespace.
    pub name: Slug,
}

impl FromStr for BundleName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        match text.strip_prefix('+').and_then(|name| name.split_once('/')) {
            Some((namespace, name)) => Ok(Self { namespace: namespace.parse()?, name: name.parse()? }),
            None => Err(NameError::new("the name of a bundle is like +namespace/name")),
        }
    }
}

impl fmt::Display for BundleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{}/{}", self.namespace, self.name)
    }
}
