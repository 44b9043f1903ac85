//! Chooses one version of each skill that some skills require.
//!
//! The search goes depth first through the skills in the order in which they are needed, tries the versions of each
//! in the order of the [`World`], and goes back where two needs contradict each other. So it finds a choice if there
//! is one, within its bounds. Cycles need no care: a skill that is chosen already is only checked.

mod conflict;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use registry::names::{Coordinate, Required, Requirement, TagName, Version};

use crate::install::InstallError;

/// The most skills of a choice, and the most versions that are tried.
const MAX_SKILLS: usize = 256;
const MAX_STEPS: usize = 20_000;

/// A version that may be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The version.
    pub version: Version,
    /// Whether it is the default version of the skill.
    pub is_latest: bool,
    /// The tags that point to it.
    pub tags: Vec<TagName>,
    /// The skills that it requires.
    pub requires: Vec<Required>,
}

/// What is installed, and what a registry has.
pub trait World {
    /// The version that is installed. It is tried first, and costs no request.
    fn installed(&self, skill: &Coordinate) -> Option<Candidate>;

    /// All versions, the best first, and their tags if they are asked for. None of them is yanked. Empty if there is no
    /// such skill.
    fn offered(&mut self, skill: &Coordinate, with_tags: bool) -> Result<Rc<[Candidate]>, InstallError>;

    /// What people, and skills that stay as they are, need of a skill. The text says who.
    fn standing(&self, skill: &Coordinate) -> Vec<(Requirement, String)>;
}

/// A skill that must be chosen.
#[derive(Debug, Clone)]
pub struct Root {
    /// The skill.
    pub skill: Coordinate,
    /// The versions that were asked for. None if only others need it.
    pub asked: Option<Requirement>,
}

/// A chosen version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The skill.
    pub skill: Coordinate,
    /// The version.
    pub version: Version,
    /// The skills that it requires.
    pub requires: Vec<Required>,
}

/// The person or skill that a need comes from.
#[derive(Clone)]
enum By {
    /// The user has asked for it.
    User,
    /// Something that stays as it is.
    Standing(String),
    /// The chosen version at this position.
    Chosen(usize),
}

/// A need that a choice must satisfy. Without a requirement any version will do.
struct Need {
    skill: Coordinate,
    requirement: Option<Requirement>,
    by: By,
}

struct Search<'w> {
    world: &'w mut dyn World,
    /// Both are stacks, which are cut where the search goes back.
    needs: Vec<Need>,
    chosen: Vec<Member>,
    steps: usize,
    /// The first contradiction, which is that of the best versions.
    conflict: Option<String>,
}

/// Chooses a version of each root and of all that they require, directly or not. The roots come first.
pub fn solve(world: &mut dyn World, roots: &[Root]) -> Result<Vec<Member>, InstallError> {
    let need =
        |root: &Root| Need { skill: root.skill.clone(), requirement: root.asked.clone(), by: By::User };
    let needs = roots.iter().map(need).collect();
    let mut search = Search { world, needs, chosen: Vec::new(), steps: 0, conflict: None };
    if search.run()? {
        return Ok(search.chosen);
    }
    Err(InstallError::Requirements { why: search.conflict.unwrap_or_default() })
}

impl Search<'_> {
    /// Chooses the rest. False if that cannot be done.
    fn run(&mut self) -> Result<bool, InstallError> {
        let is_open = |need: &&Need| self.chosen.iter().all(|member| member.skill != need.skill);
        let Some(skill) = self.needs.iter().find(is_open).map(|need| need.skill.clone()) else {
            return Ok(true);
        };
        if self.chosen.len() == MAX_SKILLS {
            let why = format!(
                "more than {MAX_SKILLS} skills are required: install some of them on their own first"
            );
            return Err(InstallError::Requirements { why });
        }
        let before = self.needs.len();
        let standing = self.world.standing(&skill).into_iter().map(|(requirement, who)| Need {
            skill: skill.clone(),
            requirement: Some(requirement),
            by: By::Standing(who),
        });
        self.needs.extend(standing);
        let installed = self.world.installed(&skill);
        if let Some(candidate) = &installed
            && self.choose(&skill, candidate)?
        {
            return Ok(true);
        }
        let offered = self.offered(&skill)?;
        for candidate in
            offered.iter().filter(|one| installed.as_ref().is_none_or(|it| it.version != one.version))
        {
            if self.choose(&skill, candidate)? {
                return Ok(true);
            }
        }
        let is_hopeless = !offered.iter().chain(&installed).any(|candidate| self.fits(&skill, candidate));
        if is_hopeless && self.conflict.is_none() {
            self.conflict = Some(self.contradiction(&skill, &offered));
        }
        self.needs.truncate(before);
        Ok(false)
    }

    /// Tries a version. False if it does not fit, or if the rest cannot be chosen then.
    fn choose(&mut self, skill: &Coordinate, candidate: &Candidate) -> Result<bool, InstallError> {
        if !self.fits(skill, candidate) {
            return Ok(false);
        }
        self.steps += 1;
        if self.steps > MAX_STEPS {
            let known = self.conflict.take().unwrap_or_default();
            let why = format!(
                "no choice of versions was found in {MAX_STEPS} attempts. One of many contradictions: {known}"
            );
            return Err(InstallError::Requirements { why });
        }
        let (needs, chosen) = (self.needs.len(), self.chosen.len());
        let Candidate { version, requires, .. } = candidate.clone();
        let by = By::Chosen(chosen);
        self.needs.extend(requires.iter().map(|one| Need {
            skill: one.coordinate(),
            requirement: Some(one.requirement.clone()),
            by: by.clone(),
        }));
        self.chosen.push(Member { skill: skill.clone(), version, requires });
        match self.contradicted(candidate)? {
            None if self.run()? => return Ok(true),
            None => {}
            Some(other) => {
                let offered = self.offered(&other)?;
                let why = self.contradiction(&other, &offered);
                self.conflict.get_or_insert(why);
            }
        }
        self.needs.truncate(needs);
        self.chosen.truncate(chosen);
        Ok(false)
    }

    /// A skill that was chosen before, in a version that a new one does not want.
    fn contradicted(&mut self, new: &Candidate) -> Result<Option<Coordinate>, InstallError> {
        for one in &new.requires {
            let skill = one.coordinate();
            let Some(known) = self.chosen.iter().find(|member| member.skill == skill) else { continue };
            let version = known.version.clone();
            // The tags of a version are not in the choice.
            let installed = self.world.installed(&skill).filter(|one| one.version == version);
            let found = match installed {
                Some(installed) => Some(installed),
                None => self.offered(&skill)?.iter().find(|one| one.version == version).cloned(),
            };
            if !found.is_some_and(|found| self.fits(&skill, &found)) {
                return Ok(Some(skill));
            }
        }
        Ok(None)
    }

    fn offered(&mut self, skill: &Coordinate) -> Result<Rc<[Candidate]>, InstallError> {
        let mut needs = self.needs.iter().filter(|need| need.skill == *skill);
        let with_tags = needs.any(|need| matches!(need.requirement, Some(Requirement::Tag(_))));
        self.world.offered(skill, with_tags)
    }

    /// Whether a version satisfies all needs of its skill so far.
    fn fits(&self, skill: &Coordinate, candidate: &Candidate) -> bool {
        self.needs.iter().filter(|need| need.skill == *skill).all(|need| need.accepts(candidate))
    }
}

impl Need {
    fn accepts(&self, candidate: &Candidate) -> bool {
        match (&self.requirement, &self.by) {
            (None, _) => true,
            // Who asks for the latest version gets it. What a skill requires without a version may be any.
            (Some(Requirement::Latest), By::User) => candidate.is_latest,
            (Some(Requirement::Latest), _) => true,
            (Some(Requirement::Tag(tag)), _) => candidate.tags.contains(tag),
            (Some(other), _) => other.allows(&candidate.version) == Some(true),
        }
    }
}
