//! Connects to the store of a bucket. Credentials come from the environment, under the names that the
//! tools of the clouds use, and are in no message.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::client::ClientOptions;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::{BackoffConfig, ObjectStore, RetryConfig};

use super::agents::Agents;
use super::credentials;
use super::http::{AgentConnector, StoreStatus};
use super::target::{Target, TargetSettings};
use super::url::Scheme;

/// A bucket cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The environment has no credentials, half of them, or invalid ones. The text names the variables.
    #[error("{0}")]
    Credentials(&'static str),
    /// The prefix cannot begin a key.
    #[error("the prefix cannot be used in the keys of objects")]
    Prefix,
    /// The endpoint is no address.
    #[error("the endpoint is no address: expected one like https://storage.example.org")]
    Endpoint,
}

/// Connects to the store of a bucket through `agents`, which decide about TLS, proxies and timeouts. Nothing
/// is sent yet.
pub fn connect(settings: &TargetSettings, agents: Agents) -> Result<Target, TargetError> {
    let TargetSettings { url, endpoint, region, .. } = settings;
    if endpoint.as_ref().is_some_and(|endpoint| !is_address(endpoint)) {
        return Err(TargetError::Endpoint);
    }
    let status = Arc::new(StoreStatus::default());
    let connector = AgentConnector::new(agents, Arc::clone(&status));
    // Few: the uploader stops a batch and tries again by itself.
    let backoff = BackoffConfig { max_backoff: Duration::from_secs(5), ..BackoffConfig::default() };
    let retries = RetryConfig { backoff, max_retries: 3, retry_timeout: Duration::from_secs(30) };
    // The scheme of the endpoint decides whether the connection is encrypted.
    let options = ClientOptions::new().with_allow_http(true);
    let store: Arc<dyn ObjectStore> = match url.scheme() {
        Scheme::S3 => {
            let mut builder = AmazonS3Builder::from_env().with_bucket_name(url.bucket());
            if let Some(endpoint) = endpoint {
                builder = builder.with_endpoint(endpoint);
            }
            if let Some(region) = region {
                builder = builder.with_region(region);
            }
            credentials::require_aws(&builder).map_err(TargetError::Credentials)?;
            let builder = builder.with_client_options(options).with_retry(retries);
            let built = builder.with_http_connector(connector).build();
            Arc::new(built.map_err(|_| TargetError::Credentials(credentials::INVALID_AWS))?)
        }
        Scheme::Gs => {
            let mut builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(url.bucket());
            if let Some(endpoint) = endpoint {
                builder = builder.with_base_url(endpoint);
            }
            credentials::require_google(&builder).map_err(TargetError::Credentials)?;
            let builder = builder.with_client_options(options).with_retry(retries);
            let built = builder.with_http_connector(connector).build();
            Arc::new(built.map_err(|_| TargetError::Credentials(credentials::INVALID_GOOGLE))?)
        }
        Scheme::Az => {
            let mut builder = MicrosoftAzureBuilder::from_env().with_container_name(url.bucket());
            if let Some(endpoint) = endpoint {
                builder = builder.with_endpoint(endpoint.clone());
            }
            credentials::require_azure(&builder).map_err(TargetError::Credentials)?;
            let builder = builder.with_client_options(options).with_retry(retries);
            let built = builder.with_http_connector(connector).build();
            Arc::new(built.map_err(|_| TargetError::Credentials(credentials::INVALID_AZURE))?)
        }
    };
    Target::with_status(store, settings, status).map_err(|_| TargetError::Prefix)
}

fn is_address(endpoint: &str) -> bool {
    let rest = endpoint.strip_prefix("https://").or_else(|| endpoint.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(['@', '?', '#', ' ']))
}
