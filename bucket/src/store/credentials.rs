//! Which credentials the environment has. Without any, the clients of the stores ask the metadata service
//! of the machine, at a link-local address. They may do so only if a variable names the service: on other
//! machines and networks, nobody or somebody else answers there.

use std::path::Path;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey as Aws};
use object_store::azure::{AzureConfigKey as Azure, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey as Google};

/// The cause if the credentials of S3 are refused before anything is sent.
pub const INVALID_AWS: &str =
    "the variables AWS_… in the environment contradict each other, or one of them is invalid";
/// The cause if those of Google Cloud Storage are refused before anything is sent.
pub const INVALID_GOOGLE: &str = "the credentials in the environment cannot be used: GOOGLE_APPLICATION_CREDENTIALS has to \
                                  name the file of a service account";
/// The cause if those of Azure are refused before anything is sent.
pub const INVALID_AZURE: &str = "the credentials in the environment cannot be used: check AZURE_STORAGE_ACCOUNT_NAME, and \
                                 AZURE_STORAGE_ACCOUNT_KEY or AZURE_STORAGE_SAS_TOKEN";

/// Refuses an environment without credentials for S3, or with half of them.
pub fn require_aws(builder: &AmazonS3Builder) -> Result<(), &'static str> {
    let has = |key: Aws| builder.get_config_value(&key).is_some_and(|value| !value.is_empty());
    let has_token_file = has(Aws::WebIdentityTokenFile) && has(Aws::RoleArn);
    let is_in_container = has(Aws::ContainerCredentialsRelativeUri)
        || has(Aws::ContainerCredentialsFullUri) && has(Aws::ContainerAuthorizationTokenFile);
    let why = match (has(Aws::AccessKeyId), has(Aws::SecretAccessKey)) {
        (true, true) => return Ok(()),
        (true, false) => "AWS_SECRET_ACCESS_KEY is not set: it belongs to AWS_ACCESS_KEY_ID",
        (false, true) => "AWS_ACCESS_KEY_ID is not set: it belongs to AWS_SECRET_ACCESS_KEY",
        (false, false) if has_token_file || is_in_container || has(Aws::MetadataEndpoint) => return Ok(()),
        (false, false) if is_on(builder.get_config_value(&Aws::SkipSignature)) => return Ok(()),
        (false, false) => {
            "there are no credentials in the environment: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. To use the role \
             of this machine, set AWS_METADATA_ENDPOINT to the address of its metadata service"
        }
    };
    Err(why)
}

/// Refuses an environment without credentials for Google Cloud Storage.
pub fn require_google(builder: &GoogleCloudStorageBuilder) -> Result<(), &'static str> {
    let has = |key: Google| builder.get_config_value(&key).is_some_and(|value| !value.is_empty());
    let has_file = has(Google::ServiceAccount) || has(Google::ApplicationCredentials);
    let has_key = has(Google::ServiceAccountKey) || has(Google::BearerToken);
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_named = ["GCE_METADATA_HOST", "GCE_METADATA_ROOT"].into_iter().any(is_set);
    let of_gcloud = ".config/gcloud/application_default_credentials.json";
    let has_login = || std::env::var_os("HOME").is_some_and(|home| Path::new(&home).join(of_gcloud).exists());
    let is_public = is_on(builder.get_config_value(&Google::SkipSignature));
    if has_file || has_key || is_named || is_public || has_login() {
        return Ok(());
    }
    Err(
        "there are no credentials in the environment: set GOOGLE_APPLICATION_CREDENTIALS to the file of a service account. \
         To use the account of this machine, set GCE_METADATA_HOST to its metadata service",
    )
}

/// Refuses an environment without credentials for Azure.
pub fn require_azure(builder: &MicrosoftAzureBuilder) -> Result<(), &'static str> {
    let has = |key: Azure| builder.get_config_value(&key).is_some_and(|value| !value.is_empty());
    let is_emulator = is_on(builder.get_config_value(&Azure::UseEmulator));
    if !has(Azure::AccountName) && !is_emulator {
        return Err(
            "the environment names no account: set AZURE_STORAGE_ACCOUNT_NAME, and AZURE_STORAGE_ACCOUNT_KEY or \
             AZURE_STORAGE_SAS_TOKEN",
        );
    }
    let is_client = has(Azure::ClientId) && has(Azure::AuthorityId);
    let has_key = has(Azure::AccessKey) || has(Azure::SasKey) || has(Azure::Token);
    let has_client = is_client && (has(Azure::ClientSecret) || has(Azure::FederatedTokenFile));
    let kind = builder.get_config_value(&Azure::CredentialType);
    let is_named = has(Azure::MsiEndpoint) || kind.is_some_and(|kind| !["", "auto"].contains(&kind.as_str()));
    let has_fabric = has(Azure::FabricTokenServiceUrl) && has(Azure::FabricWorkloadHost);
    let has_fabric = has_fabric && has(Azure::FabricSessionToken) && has(Azure::FabricClusterIdentifier);
    let needs_none = is_emulator
        || is_on(builder.get_config_value(&Azure::SkipSignature))
        || is_on(builder.get_config_value(&Azure::UseAzureCli));
    if has_key || has_client || has_fabric || is_named || needs_none {
        return Ok(());
    }
    Err(
        "there are no credentials in the environment: set AZURE_STORAGE_ACCOUNT_KEY or AZURE_STORAGE_SAS_TOKEN. To use the \
         identity of this machine, set AZURE_MSI_ENDPOINT to the address of its metadata service",
    )
}

/// Whether a switch is on, as the clients of the stores read it.
fn is_on(value: Option<String>) -> bool {
    value.is_some_and(|value| ["1", "true", "on", "yes", "y"].contains(&value.to_ascii_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_service_is_asked_only_if_a_variable_names_it() {
        let (id, secret) = (Aws::AccessKeyId, Aws::SecretAccessKey);
        for (variables, says) in [
            (&[(id, "a"), (secret, "b")][..], None),
            (&[(Aws::MetadataEndpoint, "http://127.0.0.1")], None),
            (&[(Aws::ContainerCredentialsRelativeUri, "/a")], None),
            (&[(Aws::SkipSignature, "true")], None),
            (&[(Aws::SkipSignature, "false")], Some("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")),
            (&[(Aws::RoleArn, "arn")], Some("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")),
            (&[(id, "a")], Some("AWS_SECRET_ACCESS_KEY is not set")),
            (&[(secret, "b"), (Aws::MetadataEndpoint, "x")], Some("AWS_ACCESS_KEY_ID is not set")),
            (&[(id, ""), (secret, "")], Some("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")),
        ] {
            let builder = variables
                .iter()
                .fold(AmazonS3Builder::new(), |builder, (key, value)| builder.with_config(*key, *value));
            let said = require_aws(&builder).err();
            match says {
                None => assert_eq!(said, None, "{variables:?}"),
                Some(says) => assert!(said.is_some_and(|said| said.contains(says)), "{variables:?}"),
            }
        }
    }

    #[test]
    fn azure_needs_an_account_and_a_credential() {
        let name = (Azure::AccountName, "tests");
        for (variables, says) in [
            (&[name, (Azure::AccessKey, "a")][..], None),
            (&[name, (Azure::SasKey, "a")], None),
            (&[name, (Azure::MsiEndpoint, "http://127.0.0.1")], None),
            (&[(Azure::UseEmulator, "true")], None),
            (&[(Azure::AccessKey, "a")], Some("AZURE_STORAGE_ACCOUNT_NAME")),
            (&[name], Some("AZURE_STORAGE_ACCOUNT_KEY")),
            (&[name, (Azure::ClientId, "a")], Some("AZURE_STORAGE_ACCOUNT_KEY")),
        ] {
            let builder = variables.iter().fold(MicrosoftAzureBuilder::new(), |builder, (key, value)| {
                builder.with_config(*key, *value)
            });
            let said = require_azure(&builder).err();
            match says {
                None => assert_eq!(said, None, "{variables:?}"),
                Some(says) => assert!(said.is_some_and(|said| said.contains(says)), "{variables:?}"),
            }
        }
    }
}
