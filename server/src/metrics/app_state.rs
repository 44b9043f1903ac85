//! What a server is doing.

use super::Reading;
use crate::App;

/// The state of a server.
#[allow(clippy::cast_precision_loss, reason = "metrics are floating-point numbers")]
pub(crate) fn of_app(app: &App) -> Vec<Reading> {
    let public = app.registry.public();
    let (revision, skills, namespaces) = {
        let catalog = public.read();
        (catalog.revision(), catalog.skills().len(), catalog.namespaces().len())
    };
    let progress = app.publisher.progress();
    let tiers = [("own", progress.own.revision), ("all", progress.revision)];
    let reserved = app.settings.http.uploads_total.saturating_sub(app.uploads.free());
    let is = |is: bool| if is { 1.0 } else { 0.0 };
    let mut readings = vec![
        Reading::new("revision", "The last public revision", revision as f64),
        Reading::new("skills", "Skills that are not removed", skills as f64),
        Reading::new("namespaces", "Namespaces", namespaces as f64),
        Reading::new("connections", "Open connections", app.connections.len() as f64),
        Reading::new("upload_bytes", "Bytes of uploads in memory", reserved as f64),
        Reading::new(
            "writable",
            "Whether the stores of the rows and of the packages accept writes",
            is(app.registry.is_writable()),
        ),
    ];
    if app.settings.private.is_some() {
        readings.push(Reading::new(
            "private_namespaces_unopened",
            "Private namespaces that could not be opened; the log names them",
            app.unopened_private_namespaces() as f64,
        ));
    }
    for (scanner, runs) in app.settings.scans.runs() {
        let reading = |name, help, count| Reading::new(name, help, count as f64).of("scanner", &scanner);
        readings.push(reading("scans_answered", "Runs of a scanner that gave a verdict", runs.answered));
        readings.push(reading(
            "scans_failed",
            "Runs of a scanner that gave no verdict; the log says why",
            runs.failed,
        ));
    }
    if app.settings.mirror {
        let help = "The last public revision in the tree: in the documents of changed skills (own), in all";
        readings
            .extend(tiers.map(|(tier, at)| Reading::new("tree_revision", help, at as f64).of("tier", tier)));
        let help = "Public revisions that the tree lacks";
        readings.extend(tiers.map(|(tier, at)| {
            Reading::new("tree_lag", help, revision.saturating_sub(at) as f64).of("tier", tier)
        }));
        readings.push(Reading::new(
            "tree_failing",
            "Whether the last attempt to bring the tree up to date failed",
            is(progress.failure.is_some()),
        ));
    }
    if let Some((_, target)) = app.publisher.target_progress() {
        let help = "Whether this server writes the bucket; otherwise another one does";
        readings.push(Reading::new("target_writer", help, is(target.is_writer)));
        if target.is_writer {
            let (revision, waiting) = (target.revision.unwrap_or(0) as f64, target.waiting as f64);
            readings.extend([
                Reading::new("target_revision", "The last public revision in the bucket", revision),
                Reading::new("target_waiting", "Documents that the bucket lacks", waiting),
            ]);
        }
        readings.extend([
            Reading::new("target_written", "Objects that this process has written", target.written as f64),
            Reading::new("target_deleted", "Objects that this process has deleted", target.deleted as f64),
            Reading::new(
                "target_left",
                "Objects that no registry seems to have put, and that stay",
                target.left as f64,
            ),
            Reading::new(
                "target_failing",
                "Whether the last attempt to write to the bucket failed",
                is(target.failure.is_some()),
            ),
        ]);
    }
    readings
}
