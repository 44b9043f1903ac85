//! Numbers and durations of requests.

use std::time::Duration;

use hyper::Method;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use super::RouteLabel;

/// The upper bounds of durations in seconds: from a read in memory to the longest wait for the tree.
const BUCKETS: [f64; 12] = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 5.0, 30.0];

/// The methods that have a label of their own. There may be any number of others.
const METHODS: [&str; 6] = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: &'static str,
    method: &'static str,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    route: &'static str,
}

/// Numbers and durations of requests.
#[derive(Debug, Clone)]
pub(crate) struct RequestMetrics {
    requests: Family<RequestLabels, Counter>,
    durations: Family<RouteLabels, Histogram, fn() -> Histogram>,
}

impl Default for RequestMetrics {
    fn default() -> Self {
        let durations = Family::new_with_constructor((|| Histogram::new(BUCKETS)) as fn() -> Histogram);
        Self { requests: Family::default(), durations }
    }
}

impl RequestMetrics {
    /// Names the metrics.
    pub(crate) fn register(&self, registry: &mut Registry) {
        registry.register("requests", "Answered requests", self.requests.clone());
        registry.register_with_unit(
            "request_duration",
            "The time from the header of a request to that of its response",
            Unit::Seconds,
            self.durations.clone(),
        );
    }

    /// Counts a response.
    pub(crate) fn answered(&self, route: RouteLabel, method: &Method, status: u16, elapsed: Duration) {
        let method = METHODS.into_iter().find(|known| *known == method.as_str()).unwrap_or("other");
        self.requests.get_or_create(&RequestLabels { route: route.0, method, status }).inc();
        self.durations.get_or_create(&RouteLabels { route: route.0 }).observe(elapsed.as_secs_f64());
    }
}
