//! What can be done to a skill that is there.

use proptest::prelude::*;
use registry::names::{Coordinate, TagName, Version};
use registry::ops::transfer::{self, MakeOffer};
use registry::ops::{rate, remove_skill, star, tags, yank};
use registry::private::Score;

use super::{World, by};

/// Something done to a skill.
#[derive(Debug, Clone)]
pub enum Change {
    Yank { minor: u8, reason: bool },
    Unyank { minor: u8 },
    SetTag { tag: u8, minor: u8 },
    RemoveTag { tag: u8 },
    Remove,
    Restore,
    Star,
    Unstar,
    Rate { score: u8 },
    Give { back: bool },
}

pub fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => (0..4u8, any::<bool>()).prop_map(|(minor, reason)| Change::Yank { minor, reason }),
        2 => (0..4u8).prop_map(|minor| Change::Unyank { minor }),
        2 => (0..2u8, 0..4u8).prop_map(|(tag, minor)| Change::SetTag { tag, minor }),
        1 => (0..2u8).prop_map(|tag| Change::RemoveTag { tag }),
        1 => Just(Change::Remove),
        2 => Just(Change::Restore),
        2 => Just(Change::Star),
        1 => Just(Change::Unstar),
        2 => (1..=5u8).prop_map(|score| Change::Rate { score }),
        1 => any::<bool>().prop_map(|back| Change::Give { back }),
    ]
}

impl World {
    /// Does it; what the registry refuses does nothing.
    pub fn change(&self, c: &Coordinate, change: &Change) {
        let (registry, admin) = (&self.registry, &self.caller);
        let version = |minor: &u8| format!("1.{minor}.0").parse::<Version>().unwrap();
        let tag = |tag: &u8| format!("tag{tag}").parse::<TagName>().unwrap();
        // Each op has a reply of its own, and nobody asks for it.
        macro_rules! done {
            ($by:expr, $op:expr, $input:expr) => {
                let _ = registry.commit($by, |catalog, actor, at| $op(catalog, actor, $input, at));
            };
        }
        match change {
            Change::Yank { minor, reason } => {
                let (version, reason) = (version(minor), reason.then_some("It is broken."));
                done!(admin, yank::yank, (c, &version, reason));
            }
            Change::Unyank { minor } => {
                let version = version(minor);
                done!(admin, yank::undo, (c, &version));
            }
            Change::SetTag { tag: t, minor } => {
                let (tag, version) = (tag(t), version(minor));
                done!(admin, tags::set, (c, &tag, &version));
            }
            Change::RemoveTag { tag: t } => {
                let tag = tag(t);
                done!(admin, tags::remove, (c, &tag));
            }
            Change::Remove => {
                done!(admin, remove_skill::remove, c);
            }
            Change::Restore => {
                done!(admin, remove_skill::restore, c);
            }
            Change::Star => {
                done!(&by("bob"), star::star, c);
            }
            Change::Unstar => {
                done!(&by("bob"), star::unstar, c);
            }
            Change::Rate { score } => {
                let score = Score::try_from(*score).unwrap();
                done!(&by("bob"), rate::rate, (c, score));
            }
            Change::Give { back } => {
                let [from, to] = if *back { ["bob", "admin"] } else { ["admin", "bob"] };
                let offer = MakeOffer { coordinate: c.clone(), to: to.parse().unwrap(), message: None };
                done!(&by(from), transfer::offer, &offer);
                done!(&by(to), transfer::accept, c);
            }
        }
    }
}
