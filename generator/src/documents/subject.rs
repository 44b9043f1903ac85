//! What documents are about.

use std::fmt::Write as _;

use registry::names::{BundleName, Coordinate, Namespace, TagName, Version};
use registry::public::Sort;

use super::Prefix;

/// What a document is about: the values in its address.
#[derive(Clone, Copy)]
pub enum Subject<'a> {
    /// The registry.
    Registry,
    /// A skill.
    Skill(&'a Coordinate),
    /// A version of a skill.
    Version(&'a Coordinate, &'a Version),
    /// A tag of a skill.
    Tag(&'a Coordinate, &'a TagName),
    /// A namespace.
    Namespace(&'a Namespace),
    /// A bundle.
    Bundle(&'a BundleName),
    /// The skills of a namespace whose slugs begin alike.
    Group(&'a Namespace, &'a Prefix),
    /// A page of a list.
    Page {
        /// The namespace that it lists; `None` lists all.
        namespace: Option<&'a Namespace>,
        /// The order, if there are several.
        sort: Option<Sort>,
        /// The page number, from 1.
        page: u64,
    },
    /// A query, normalized.
    Query(&'a str),
    /// Another name.
    Named(&'a dyn std::fmt::Display),
    /// A number.
    Number(u64),
    /// A byte.
    Byte(u8),
}

impl<'a> Subject<'a> {
    /// A page of a list in one order.
    pub fn page(namespace: Option<&'a Namespace>, page: u64) -> Self {
        Self::Page { namespace, sort: None, page }
    }

    /// The skill.
    pub fn coordinate(self) -> Option<&'a Coordinate> {
        match self {
            Self::Skill(c) | Self::Version(c, _) | Self::Tag(c, _) => Some(c),
            _ => None,
        }
    }

    /// The namespace, of which it may show several skills.
    pub fn namespace(self) -> Option<&'a Namespace> {
        match self {
            Self::Namespace(name) | Self::Group(name, _) => Some(name),
            Self::Bundle(name) => Some(&name.namespace),
            Self::Page { namespace, .. } => namespace,
            _ => self.coordinate().map(|c| &c.namespace),
        }
    }

    /// Writes the text in the place `{name}` of a file: nothing if it has no such value.
    pub fn write(self, name: &str, path: &mut String) {
        // Writing to a text cannot fail.
        let _ = match (name, self) {
            ("bundle", Self::Bundle(name)) => path.write_str(name.name.as_str()),
            ("version", Self::Version(_, version)) => write!(path, "{version}"),
            ("tag", Self::Tag(_, tag)) => write!(path, "{tag}"),
            ("sort", Self::Page { sort: Some(sort), .. }) => path.write_str(sort.as_str()),
            ("page", Self::Page { page, .. } | Self::Number(page)) => write!(path, "{page}"),
            ("prefix", Self::Group(_, prefix)) => path.write_str(prefix.as_str()),
            ("word", Self::Query(query)) => path.write_str(query),
            ("shard", Self::Byte(byte)) => write!(path, "{byte:02x}"),
            (_, Self::Named(value)) => write!(path, "{value}"),
            _ => match (name, self.coordinate(), self.namespace()) {
                ("skill", Some(c), _) => write!(path, "{c}"),
                ("slug", Some(c), _) => path.write_str(c.slug.as_str()),
                ("namespace", _, Some(name)) => path.write_str(name.as_str()),
                _ => Ok(()),
            },
        };
    }
}
