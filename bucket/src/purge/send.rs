//! Sends purges.

use std::error::Error;
use std::io::{self, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use object_store::aws::{AmazonS3, AmazonS3Builder, AwsAuthorizer};
use tokio::runtime::Runtime;

use super::PurgeService;
use super::list::PurgeList;
use super::requests::{PurgeRequest, requests};
use crate::target::{AgentConnector, Agents};

/// The time for a command, and how often it is looked at.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// CloudFront's API is in one region.
const CLOUDFRONT_REGION: &str = "us-east-1";

/// A purge failed. The text names no credential: it has neither header nor body.
type Failure = Box<dyn Error + Send + Sync>;

/// Sends lists to a service.
pub struct Sender {
    service: PurgeService,
    endpoint: Option<String>,
    agents: Agents,
    runtime: Runtime,
}

impl Sender {
    /// A sender that asks through `agents`.
    pub fn new(service: PurgeService, endpoint: Option<String>, agents: Agents) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(Self { service, endpoint, agents, runtime })
    }

    /// Sends a list.
    pub fn send(&self, list: &PurgeList) -> Result<(), Failure> {
        if let PurgeService::Command(command) = &self.service {
            return run(command, list.lines());
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let made = requests(&self.service, self.endpoint.as_deref(), list, &now.as_nanos().to_string())?;
        for request in made {
            let request = match self.service {
                PurgeService::CloudFront { .. } => self.runtime.block_on(self.signed(request))?,
                _ => request,
            };
            let status = self.agents.of(request.uri())?.run(request)?.status();
            if !status.is_success() {
                return Err(format!("{:?} answers with status {}", self.service, status.as_u16()).into());
            }
        }
        Ok(())
    }

    /// Signs a request with the credentials of the environment.
    async fn signed(&self, request: PurgeRequest) -> Result<PurgeRequest, Failure> {
        let connector = AgentConnector::new(self.agents.clone(), Arc::default());
        let builder = AmazonS3Builder::from_env().with_bucket_name("none").with_http_connector(connector);
        let store: AmazonS3 = builder.build()?;
        let credential = store.credentials().get_credential().await?;
        let (head, body) = request.into_parts();
        let mut request = object_store::client::HttpRequest::from_parts(head, body.clone().into());
        AwsAuthorizer::new(&credential, "cloudfront", CLOUDFRONT_REGION).try_authorize(&mut request, None)?;
        let (head, _) = request.into_parts();
        Ok(PurgeRequest::from_parts(head, body))
    }
}

/// Runs a command with the lines as its input.
fn run(command: &[String], lines: String) -> Result<(), Failure> {
    let Some((program, arguments)) = command.split_first() else { return Ok(()) };
    let mut child =
        Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // A command may end without reading everything.
        std::thread::spawn(move || drop(input.write_all(lines.as_bytes())));
    }
    match wait(&mut child)? {
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(format!("the command of purge.command ended with {status}").into()),
        None => {
            child.kill()?;
            child.wait()?;
            Err(format!("the command of purge.command takes longer than {} s", COMMAND_TIMEOUT.as_secs())
                .into())
        }
    }
}

/// The status of a command that has ended in time.
fn wait(child: &mut Child) -> io::Result<Option<ExitStatus>> {
    let until = Instant::now() + COMMAND_TIMEOUT;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= until {
            return Ok(None);
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}
