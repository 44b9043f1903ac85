//! Skills and versions as arguments.

use std::str::FromStr;

use client::{ClientError, Requirement, SkillReference};
use registry::names::{Coordinate, Version};

/// A skill without a version or tag.
#[derive(Debug, Clone)]
pub struct SkillName(pub Coordinate);

impl FromStr for SkillName {
    type Err = ClientError;

    fn from_str(text: &str) -> Result<Self, ClientError> {
        let SkillReference { coordinate, requirement } = text.parse()?;
        match requirement {
            None => Ok(Self(coordinate)),
            Some(_) => Err(refused(text, "leave out the version or tag: this is about the whole skill")),
        }
    }
}

/// A skill and its full version: `hello@1.2.0`.
#[derive(Debug, Clone)]
pub struct SkillVersion {
    /// The skill.
    pub skill: Coordinate,
    /// The version.
    pub version: Version,
}

impl SkillVersion {
    /// The name in messages: `hello 1.2.0`.
    pub fn name(&self) -> String {
        format!("{} {}", SkillReference::argument(&self.skill), self.version)
    }

    /// The argument that means this version: `hello@1.2.0`.
    pub fn argument(&self) -> String {
        format!("{}@{}", SkillReference::argument(&self.skill), self.version)
    }
}

impl FromStr for SkillVersion {
    type Err = ClientError;

    fn from_str(text: &str) -> Result<Self, ClientError> {
        let SkillReference { coordinate: skill, requirement } = text.parse()?;
        match requirement {
            Some(Requirement::Exact(version)) => Ok(Self { skill, version }),
            _ => Err(refused(text, "name one version with all three numbers")),
        }
    }
}

/// A skill, optionally with its full version.
#[derive(Debug, Clone)]
pub struct SkillMaybeVersion {
    /// The skill.
    pub skill: Coordinate,
    /// The version.
    pub version: Option<Version>,
}

impl FromStr for SkillMaybeVersion {
    type Err = ClientError;

    fn from_str(text: &str) -> Result<Self, ClientError> {
        let SkillReference { coordinate: skill, requirement } = text.parse()?;
        match requirement {
            None => Ok(Self { skill, version: None }),
            Some(Requirement::Exact(version)) => Ok(Self { skill, version: Some(version) }),
            Some(_) => Err(refused(text, "name a version with all three numbers, or none")),
        }
    }
}

fn refused(text: &str, why: &str) -> ClientError {
    ClientError::Reference { text: text.escape_debug().to_string(), why: why.to_owned() }
}
