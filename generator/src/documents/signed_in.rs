//! The web pages for people who are signed in, and what they say without a script.

/// A page for people who are signed in. Its address begins with a reserved namespace. It is the same for
/// everyone: its script asks the server, and says so if a host has only files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SignedInPage {
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

impl SignedInPage {
    /// All pages.
    pub const ALL: [Self; 6] =
        [Self::Login, Self::Me, Self::Publish, Self::Settings, Self::Reviews, Self::Admin];
}

#[cfg(feature = "writer")]
impl SignedInPage {
    /// The name of the page's folder, and of its script in the folder `signed-in` of the assets.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::Me => "me",
            Self::Publish => "publish",
            Self::Settings => "settings",
            Self::Reviews => "reviews",
            Self::Admin => "admin",
        }
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
