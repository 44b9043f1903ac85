//! Changes of an existing skill.

use proptest::prelude::*;
use registry::Caller;
use registry::access::Credential;
use registry::names::{BundleName, Coordinate, TagName, Version, WrittenRequired};
use registry::ops::advisories::{self, NewAdvisory, Withdrawal};
use registry::ops::ratings::{self, RateSkill};
use registry::ops::tags::{self, RemoveTag, SetTag};
use registry::ops::transfers::{self, AcceptOffer, MakeOffer};
use registry::ops::verdicts::{self, Judged};
use registry::ops::versions::{self, Unyank, Yank};
use registry::ops::{bundles, skills, stars};
use registry::package::{Finding, Level};
use registry::private::Score;
use registry::public::{AdvisoryLevel, Bundle, ScanVerdict};

use super::{World, by};

/// A change of a skill.
#[derive(Debug, Clone)]
pub enum Change {
    Yank {
        minor: u8,
        reason: bool,
    },
    Unyank {
        minor: u8,
    },
    SetTag {
        tag: u8,
        minor: u8,
    },
    RemoveTag {
        tag: u8,
    },
    Scan {
        minor: u8,
        found: bool,
    },
    Remove,
    Restore,
    Star,
    Unstar,
    Rate {
        score: u8,
    },
    Give {
        back: bool,
    },
    Advise {
        minor: u8,
    },
    Withdraw,
    /// Sets a bundle that has the skill.
    Bundle {
        requirement: u8,
    },
    Unbundle,
}

pub fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => (0..4u8, any::<bool>()).prop_map(|(minor, reason)| Change::Yank { minor, reason }),
        2 => (0..4u8).prop_map(|minor| Change::Unyank { minor }),
        2 => (0..2u8, 0..4u8).prop_map(|(tag, minor)| Change::SetTag { tag, minor }),
        1 => (0..2u8).prop_map(|tag| Change::RemoveTag { tag }),
        2 => (0..4u8, any::<bool>()).prop_map(|(minor, found)| Change::Scan { minor, found }),
        1 => Just(Change::Remove),
        2 => Just(Change::Restore),
        2 => Just(Change::Star),
        1 => Just(Change::Unstar),
        2 => (1..=5u8).prop_map(|score| Change::Rate { score }),
        1 => (0..4u8).prop_map(|minor| Change::Advise { minor }),
        1 => Just(Change::Withdraw),
        1 => any::<bool>().prop_map(|back| Change::Give { back }),
        3 => (0..4u8).prop_map(|requirement| Change::Bundle { requirement }),
        1 => Just(Change::Unbundle),
    ]
}

fn bundle_of(c: &Coordinate) -> BundleName {
    let name = if c.slug.as_str() < "s4" { "one" } else { "two" };
    BundleName { namespace: c.namespace.clone(), name: name.parse().unwrap() }
}

impl World {
    /// Makes the change, unless the registry refuses it.
    pub fn change(&self, c: &Coordinate, change: &Change) {
        let (registry, admin) = (&self.registry, &self.caller);
        let version = |minor: &u8| format!("1.{minor}.0").parse::<Version>().unwrap();
        let tag = |tag: &u8| format!("tag{tag}").parse::<TagName>().unwrap();
        // The replies have different types, and no test needs them.
        macro_rules! done {
            ($by:expr, $op:expr, $input:expr) => {
                let input = $input;
                let _ = registry.commit($by, |context| $op(context, input));
            };
        }
        let skill = c.clone();
        match change {
            Change::Yank { minor, reason } => {
                let reason = reason.then(|| "It is broken.".to_owned());
                done!(admin, versions::yank, &Yank { skill, version: version(minor), reason });
            }
            Change::Unyank { minor } => {
                done!(admin, versions::unyank, &Unyank { skill, version: version(minor) });
            }
            Change::SetTag { tag: t, minor } => {
                done!(admin, tags::set, &SetTag { skill, tag: tag(t), version: version(minor) });
            }
            Change::RemoveTag { tag: t } => {
                done!(admin, tags::remove, &RemoveTag { skill, tag: tag(t) });
            }
            Change::Scan { minor, found } => {
                let version = version(minor);
                let sha256 =
                    registry.read(|catalog| Some(catalog.public.skill(c)?.version(&version)?.sha256));
                let Some(sha256) = sha256 else { return };
                let finding =
                    Finding::new("odd", "It is odd.").in_file("SKILL.md").at_line(1).at_level(Level::Error);
                let findings = if *found { vec![finding] } else { Vec::new() };
                let verdict = ScanVerdict { scanner: "judge".into(), scanner_version: "1".into(), findings };
                let judged = Judged::Version { skill, version, sha256 };
                let operator = Caller { credential: Credential::Operator { acting_as: None }, request: None };
                let _ =
                    registry.commit(&operator, |context| verdicts::record(context, &judged, &verdict, None));
            }
            Change::Remove => {
                done!(admin, skills::remove, c);
            }
            Change::Restore => {
                done!(admin, skills::restore, c);
            }
            Change::Star => {
                done!(&by("bob"), stars::add, c);
            }
            Change::Unstar => {
                done!(&by("bob"), stars::remove, c);
            }
            Change::Rate { score } => {
                let score = Score::try_from(*score).unwrap();
                done!(&by("bob"), ratings::set, &RateSkill { skill, score });
            }
            Change::Advise { minor } => {
                let advisory = NewAdvisory {
                    skill,
                    affected: vec![format!("<=1.{minor}.0").parse().unwrap()],
                    level: AdvisoryLevel::High,
                    title: "It deletes files".into(),
                    text: "Do not use it.".into(),
                    fixed_in: None,
                };
                done!(admin, advisories::publish, &advisory);
            }
            Change::Withdraw => {
                let first = registry.read(|catalog| {
                    catalog.public.advisories().of_skill(c).find(|of| of.withdrawn.is_none()).map(|of| of.id)
                });
                if let Some(advisory) = first {
                    done!(admin, advisories::withdraw, &Withdrawal { skill, advisory, reason: None });
                }
            }
            Change::Bundle { requirement } => {
                let requirement = ["^1", "latest", "tag0", "=1.1.0"][usize::from(*requirement)];
                let member = |slug: &str| {
                    let written = format!("{slug}@{requirement}").parse::<WrittenRequired>().unwrap();
                    written.in_namespace(&c.namespace)
                };
                let title = format!("Bundle of {c}");
                // Not always both exist.
                for members in
                    [vec![member(c.slug.as_str()), member("team1/s3")], vec![member(c.slug.as_str())]]
                {
                    let (name, title) = (bundle_of(c), title.clone());
                    let bundle = Bundle { name, title, description: String::new(), members };
                    if registry.commit(admin, |context| bundles::set(context, &bundle)).is_ok() {
                        break;
                    }
                }
            }
            Change::Unbundle => {
                done!(admin, bundles::remove, &bundle_of(c));
            }
            Change::Give { back } => {
                let [from, to] = if *back { ["bob", "admin"] } else { ["admin", "bob"] };
                let offer = MakeOffer { coordinate: c.clone(), to: to.parse().unwrap(), message: None };
                done!(&by(from), transfers::offer, &offer);
                let quotas = registry::quotas::Quotas::UNLIMITED;
                done!(&by(to), transfers::accept, &AcceptOffer { coordinate: c.clone(), quotas });
            }
        }
    }
}
