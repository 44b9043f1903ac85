//! The public halves of rows.

use registry::journal::PublicRow;
use registry::names::Digest;
use registry::public::{
    AdvisoryId, AdvisoryIssuer, AdvisoryLevel, AdvisoryPublished, AdvisoryWithdrawn, AuthorChanged, Bundle,
    Contents, DecodedRow, HistoryRestored, Id, Person, PublicChange, PublicRecord, Published, Redacted,
    RowRedacted, Scanned, SkillName, TagRemoved, TagSet, Unyanked, Yanked, encode,
};

use super::private::with_body_words;
use super::{REVISION, at, built, followed, golden, judged, namespace, published, scan, stored};

fn public(name: &str, record: impl Into<PublicRecord>, change: &PublicChange) {
    let json = encode(REVISION, at(), &record.into()).unwrap();
    golden(name, &json);
    let row = PublicRow::new(REVISION, json);
    let decoded = DecodedRow::decode(&row).unwrap();
    assert_eq!(decoded.check(), Ok(()), "a mirror takes it");
    assert_eq!(decoded, DecodedRow { revision: REVISION, at: at(), change: change.clone() });
}

fn named(name: &str, change: PublicChange) {
    public(name, change.clone(), &change);
}

#[test]
fn public_rows_match_the_golden_files() {
    let state = namespace();
    named("public-namespace_created-v1", PublicChange::NamespaceCreated(state.clone()));
    named("public-namespace_updated-v1", PublicChange::NamespaceUpdated(state));
    let (facts, contents) = published();
    public(
        "public-published-v2",
        PublicRecord::published(Box::new(facts.clone()), Box::new(contents.clone())),
        &PublicChange::Published(Box::new(facts.clone())),
    );
    let told = with_body_words(facts.clone());
    public(
        "public-published-v2-with_body_words",
        PublicRecord::published(Box::new(told.clone()), Box::new(contents.clone())),
        &PublicChange::Published(Box::new(told)),
    );
    let (judged, with_scans) = judged();
    public(
        "public-published-v2-with_verdicts",
        PublicRecord::published(Box::new(judged.clone()), Box::new(with_scans.clone())),
        &PublicChange::Published(Box::new(judged.clone())),
    );
    assert_eq!(with_scans.check(&judged), Ok(()));
    let lie = Contents { warnings: Vec::new(), ..with_scans.clone() };
    assert!(lie.check(&judged).unwrap_err().contains("findings of rules"));
    let lie = Published { verdicts: judged.verdicts[..1].to_vec(), ..judged };
    assert!(with_scans.check(&lie).unwrap_err().contains("does not name"));
    let (built, with_attestation) = built();
    public(
        "public-published-v3",
        PublicRecord::published(Box::new(built.clone()), Box::new(with_attestation)),
        &PublicChange::Published(Box::new(built)),
    );
    let (followed, its_contents) = followed();
    public(
        "public-published-v3-from_source",
        PublicRecord::published(Box::new(followed.clone()), Box::new(its_contents)),
        &PublicChange::Published(Box::new(followed)),
    );
    // Rows of schema 1 had no headings.
    let before = Published { headings: Vec::new(), ..facts.clone() };
    for (name, facts) in [("public-published-v1", before), ("public-published-v2", facts)] {
        let row = PublicRow::new(REVISION, stored(name));
        let change = PublicChange::Published(Box::new(facts));
        assert_eq!(DecodedRow::decode(&row).unwrap(), DecodedRow { revision: REVISION, at: at(), change });
        assert_eq!(Contents::decode(&row).unwrap(), contents);
    }
}

#[test]
fn public_rows_about_skills_and_people_match_the_golden_files() {
    let skill = || SkillName { namespace: "team".parse().unwrap(), slug: "hello".parse().unwrap() };
    let version = || "1.2.0".parse().unwrap();
    let tag = || "beta".parse().unwrap();
    let person = || Person { handle: "bob".parse().unwrap(), display_name: "Bob É.".into() };
    let reason = Some("It deletes “everything”.".into());
    named("public-yanked-v1", PublicChange::Yanked(Yanked { skill: skill(), version: version(), reason }));
    let silent = Yanked { skill: skill(), version: version(), reason: None };
    named("public-yanked-v1-without_reason", PublicChange::Yanked(silent));
    let scanned =
        Scanned { skill: skill(), version: version(), sha256: Digest::of(b"package"), verdict: scan() };
    named("public-scanned-v1", PublicChange::Scanned(Box::new(scanned)));
    named("public-unyanked-v1", PublicChange::Unyanked(Unyanked { skill: skill(), version: version() }));
    let set = TagSet { skill: skill(), tag: tag(), version: version(), updated_by: person() };
    named("public-tag_set-v1", PublicChange::TagSet(set));
    let bundle = Bundle {
        name: "+team/front-end".parse().unwrap(),
        title: "Front end".into(),
        description: "For “all”.".into(),
        members: built().0.requires,
    };
    named("public-bundle_set-v1", PublicChange::BundleSet(Box::new(bundle.clone())));
    named("public-bundle_removed-v1", PublicChange::BundleRemoved(bundle.name));
    named("public-tag_removed-v1", PublicChange::TagRemoved(TagRemoved { skill: skill(), tag: tag() }));
    named("public-skill_removed-v1", PublicChange::SkillRemoved(skill()));
    named("public-skill_restored-v1", PublicChange::SkillRestored(skill()));
    let changed = AuthorChanged { skill: skill(), author: person() };
    named("public-author_changed-v1", PublicChange::AuthorChanged(changed));
    named("public-person_renamed-v1", PublicChange::PersonRenamed(person()));
}

#[test]
fn public_rows_about_advisories_match_the_golden_files() {
    let skill = || SkillName { namespace: "team".parse().unwrap(), slug: "hello".parse().unwrap() };
    let advisory = AdvisoryPublished {
        skill: skill(),
        affected: vec!["<1.2.5".parse().unwrap(), ">=2, <2.0.1".parse().unwrap()],
        level: AdvisoryLevel::High,
        title: "It sends “everything” to a stranger".into(),
        text: "Update.\n\nThen change your passwords.".into(),
        fixed_in: Some("2.0.1".parse().unwrap()),
        issuer: AdvisoryIssuer::Namespace,
    };
    named("public-advisory_published-v1", PublicChange::AdvisoryPublished(Box::new(advisory.clone())));
    let staff = AdvisoryPublished { fixed_in: None, issuer: AdvisoryIssuer::Registry, ..advisory };
    named("public-advisory_published-v1-without_fix", PublicChange::AdvisoryPublished(Box::new(staff)));
    let (advisory, reason) = (AdvisoryId(Id(12)), Some("It was a mistake.".into()));
    let withdrawn = AdvisoryWithdrawn { skill: skill(), advisory, reason };
    named("public-advisory_withdrawn-v1", PublicChange::AdvisoryWithdrawn(withdrawn));
}

#[test]
fn public_rows_about_the_history_match_the_golden_files() {
    let earlier_epochs = ["0f", "a1"].map(|pair| pair.repeat(16)).to_vec();
    let restored = HistoryRestored { backup_revision: 12, earlier_epochs };
    named("public-history_restored-v1", PublicChange::HistoryRestored(restored));
    let redacted = Redacted { sha256: Digest::of(b"text") };
    named("public-redacted-v1", PublicChange::Redacted(redacted));
    let redaction = RowRedacted { row: 12, reason: "A court has decided so.".into() };
    named("public-row_redacted-v1", PublicChange::RowRedacted(redaction));
}
