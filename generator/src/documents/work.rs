//! Web pages for people who are signed in. They are the same for everyone and never outdated: their
//! scripts ask the server, and say so if a host has only files.

use super::kind::{Each, Kind};
use super::{Document, WebPage};
use crate::address::Stage;

/// In the order of [`WorkPage`].
static WORK: [Kind; 6] = [
    page("login/index.html", || Document::Page(WebPage::Work(WorkPage::Login))),
    page("me/index.html", || Document::Page(WebPage::Work(WorkPage::Me))),
    page("publish/index.html", || Document::Page(WebPage::Work(WorkPage::Publish))),
    page("settings/index.html", || Document::Page(WebPage::Work(WorkPage::Settings))),
    page("reviews/index.html", || Document::Page(WebPage::Work(WorkPage::Reviews))),
    page("admin/index.html", || Document::Page(WebPage::Work(WorkPage::Admin))),
];

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[&WORK[0], &WORK[1], &WORK[2], &WORK[3], &WORK[4], &WORK[5]];

const fn page(file: &'static str, document: fn() -> Document) -> Kind {
    Kind::page(file).each(Each::Once(document), Stage::HomePage, &[]).may_lag()
}

/// A page for people who are signed in. The first part of its address is a reserved namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WorkPage {
    /// Signs in.
    Login,
    /// The account, its skills, submissions, stars, offers and tokens.
    Me,
    /// Publishes a package.
    Publish,
    /// The caller's namespaces, and the settings of one.
    Settings,
    /// Reviews that wait, and one of them.
    Reviews,
    /// What platform admins do in a browser.
    Admin,
}

impl WorkPage {
    /// All pages.
    pub const ALL: [Self; 6] =
        [Self::Login, Self::Me, Self::Publish, Self::Settings, Self::Reviews, Self::Admin];

    pub(super) fn kind(self) -> &'static Kind {
        &WORK[self as usize]
    }

    /// The name of the page's script, in the folder `work` of the assets.
    pub(crate) fn name(self) -> &'static str {
        self.kind().file.split('/').next().unwrap_or_default()
    }

    pub(crate) fn heading(self) -> &'static str {
        match self {
            Self::Login => "Sign in",
            Self::Me => "Your account",
            Self::Publish => "Publish a skill",
            Self::Settings => "Namespaces",
            Self::Reviews => "Reviews",
            Self::Admin => "Administration",
        }
    }

    /// The commands that do the same, for readers without a script, and what each does.
    pub(crate) fn commands(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Login => &[("skillmirror login", "signs in")],
            Self::Me => &[
                ("skillmirror me", "shows your skills and submissions"),
                ("skillmirror token", "lists, creates and revokes tokens"),
            ],
            Self::Publish => &[
                ("skillmirror check DIR", "says what publishing would say"),
                ("skillmirror publish DIR", "publishes"),
            ],
            Self::Settings => &[
                ("skillmirror namespace", "creates and changes namespaces"),
                ("skillmirror member", "adds, invites and removes members"),
            ],
            Self::Reviews => &[("skillmirror review", "lists, compares and decides submissions")],
            Self::Admin => &[
                ("skillmirror user", "lists, adds and disables accounts"),
                ("skillmirror audit", "lists who did what and when"),
            ],
        }
    }
}
