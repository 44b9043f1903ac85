//! Metrics for Prometheus and other readers of its formats, on a listener of their own.

mod app_state;
mod format;

use std::fmt;
use std::sync::Arc;

use hyper::header::{CONTENT_TYPE, HeaderValue, VARY};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;
use tokio::net::TcpListener;

pub(crate) use self::app_state::of_app;
use self::format::Format;
use crate::Response;
use crate::connection::http_service;
use crate::observation::RequestMetrics;
use crate::problem::Problem;
use crate::request::Request;
use crate::request::http_limits::HttpLimits;

/// The beginning of all names.
const PREFIX: &str = "skillmirror";

/// A value that is read when somebody asks.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The name, without the prefix. Readings of the same name follow each other.
    pub name: &'static str,
    /// What it says, with its unit.
    pub help: &'static str,
    /// What tells it from others of the same name.
    pub label: Option<(&'static str, String)>,
    /// The value.
    pub value: f64,
}

impl Reading {
    /// A reading without a label.
    pub fn new(name: &'static str, help: &'static str, value: f64) -> Self {
        Self { name, help, label: None, value }
    }

    /// The reading with a label.
    #[must_use]
    pub fn of(self, label: &'static str, of: impl Into<String>) -> Self {
        Self { label: Some((label, of.into())), ..self }
    }
}

/// Answers `GET /metrics` until `shutdown`, for a command that answers nothing else.
pub async fn serve(
    listener: TcpListener,
    readings: impl Fn() -> Vec<Reading> + Send + Sync + 'static,
    shutdown: impl Future<Output = ()>,
) {
    serve_with_requests(listener, None, readings, shutdown).await;
}

/// Answers `GET /metrics` until `shutdown`, with numbers of requests.
pub(crate) async fn serve_with_requests(
    listener: TcpListener,
    requests: Option<RequestMetrics>,
    readings: impl Fn() -> Vec<Reading> + Send + Sync + 'static,
    shutdown: impl Future<Output = ()>,
) {
    let mut registry = Registry::with_prefix(PREFIX);
    requests.iter().for_each(|requests| requests.register(&mut registry));
    registry.register_collector(Box::new(Readings(Box::new(readings))));
    let registry = Arc::new(registry);
    let answer = move |request: Request| {
        let registry = Arc::clone(&registry);
        async move { answer(registry, &request).await }
    };
    http_service::serve(listener, Arc::new(answer), &HttpLimits::default(), shutdown).await;
}

async fn answer(registry: Arc<Registry>, request: &Request) -> Result<Response, Problem> {
    if request.path.raw() != "/metrics" {
        return Err(Problem::not_found("This listener has `/metrics` only."));
    }
    if !request.method.is_safe() {
        return Err(Problem::method_not_allowed("GET, HEAD"));
    }
    let format = Format::preferred(&request.headers);
    let text = crate::blocking::blocking(move || {
        let mut text = String::new();
        encode(&mut text, &registry).map_err(Problem::internal)?;
        Ok(format.of_open_metrics(text))
    });
    let mut response = Response::new(text.await?.into());
    let kind = HeaderValue::try_from(format.content_type()).map_err(Problem::internal)?;
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response.headers_mut().insert(VARY, HeaderValue::from_static("Accept"));
    Ok(response)
}

/// Reads values when they are asked for.
struct Readings(Box<dyn Fn() -> Vec<Reading> + Send + Sync>);

impl fmt::Debug for Readings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Readings")
    }
}

impl Collector for Readings {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        for same in (self.0)().chunk_by(|a, b| a.name == b.name) {
            let Some(first) = same.first() else { continue };
            let mut metric = encoder.encode_descriptor(first.name, first.help, None, MetricType::Gauge)?;
            if first.label.is_none() {
                ConstGauge::new(first.value).encode(metric)?;
                continue;
            }
            for reading in same {
                let labels: Vec<_> = reading.label.iter().map(|(name, of)| (*name, of.as_str())).collect();
                ConstGauge::new(reading.value).encode(metric.encode_family(&labels.as_slice())?)?;
            }
        }
        Ok(())
    }
}
