//! The connection to a store, and the address of a bucket in it.

mod agents;
mod connect;
mod credentials;
mod http;
mod target;
mod url;

pub use self::agents::Agents;
pub use self::connect::{TargetError, connect};
pub use self::target::{OnChange, Target, TargetSettings};
pub use self::url::TargetUrl;
