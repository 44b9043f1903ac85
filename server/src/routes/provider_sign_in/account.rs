//! From an identity to an account of this registry, and the roles that its groups give.

use std::collections::BTreeMap;

use registry::access::Credential;
use registry::names::{Handle, Namespace};
use registry::ops::identities::{self, SignUp};
use registry::ops::members::{self, RemoveMember, SetMember};
use registry::ops::users;
use registry::private::{MemberRole, PlatformRole};
use registry::time::Timestamp;
use registry::{Caller, CommitError, with_causes};

use super::super::prelude::*;
use super::start::provider;
use crate::app::App;
use crate::identity::{Person, ProviderSettings};

/// The account of a person.
pub(super) enum Found {
    Account(Handle),
    /// None yet, and the person has to choose a handle. The reason is a sentence.
    NeedsHandle(String),
}

/// The registry itself: a provider is part of its settings.
fn registry() -> Caller {
    Caller { credential: Credential::Operator { acting_as: None }, request: None }
}

/// Finds the account of a person, or adds it with the handle `chosen`, or with one by rule.
///
/// Errors: 403 if the account is disabled.
pub(super) fn find_or_add(app: &App, person: &Person, chosen: Option<&str>) -> Result<Found, Problem> {
    app.registry.catch_up()?;
    let known = app.registry.read(|catalog| {
        let link = catalog.private.identities.find(&person.identity)?;
        let user = catalog.private.user(&link.handle)?;
        Some((user.handle.clone(), user.disabled))
    });
    match known {
        Some((_, true)) => return Err(Problem::forbidden("This account is disabled: ask a platform admin.")),
        Some((handle, false)) => return Ok(Found::Account(handle)),
        None => {}
    }
    let text = chosen.map_or_else(|| proposed(person.handle.as_deref().unwrap_or_default()), str::to_owned);
    let handle: Handle = match text.parse() {
        Ok(handle) => handle,
        Err(_) if chosen.is_none() => {
            return Ok(Found::NeedsHandle(
                "Your provider gives no name that can be a handle: choose one.".into(),
            ));
        }
        Err(why) => return Ok(Found::NeedsHandle(format!("{why}."))),
    };
    let display_name = person.name.clone().filter(|name| !name.trim().is_empty());
    let input = SignUp { identity: person.identity.clone(), handle: handle.clone(), display_name };
    let add =
        |input: &SignUp| app.registry.commit(&registry(), |context| identities::sign_up(context, input));
    let added = match add(&input) {
        // The name to show is of somebody else's making, so it is not worth a refusal.
        Err(CommitError::Op(registry::ops::OpError::Invalid { .. })) => {
            add(&SignUp { display_name: None, ..input })
        }
        added => added,
    };
    match added {
        Ok(_) => Ok(Found::Account(handle)),
        Err(CommitError::Op(registry::ops::OpError::Conflict(why))) => {
            let who = "If it is yours, sign in to it and link it there.";
            Ok(Found::NeedsHandle(format!("Conflict: {why}. {who}")))
        }
        Err(error) => Err(error.into()),
    }
}

/// A handle by rule: in lower case, without the part from an `@` on, with `-` for what a handle cannot have.
fn proposed(claim: &str) -> String {
    let name = claim.split('@').next().unwrap_or_default().to_lowercase();
    let parts = name.split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit());
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// Notes a sign-in, and gives the account the roles of its groups. What cannot be done is logged: it does not keep
/// the person out.
pub(super) fn signed_in(
    app: &App,
    name: &str,
    handle: &Handle,
    groups: Option<Vec<String>>,
) -> Result<(), Problem> {
    let settings = &provider(app, name)?.settings;
    if groups.is_none() && !(settings.roles.is_empty() && settings.admins.is_empty()) {
        let claim = &settings.groups_claim;
        tracing::warn!(provider = name, %handle, claim, "the provider names no groups: the person has none");
    }
    let groups = groups.unwrap_or_default();
    if !settings.admins.is_empty() {
        set_platform_role(app, settings, handle, &groups);
    }
    for (namespace, (named, role)) in roles(settings, &groups) {
        let before = app.registry.read(|catalog| catalog.role(&namespace, handle));
        // Other roles are given by hand.
        let is_ours = before.is_none_or(|before| named.contains(&before));
        if !is_ours || before == role {
            continue;
        }
        let set = |role| SetMember { namespace: namespace.clone(), handle: handle.clone(), role };
        let remove = || RemoveMember { namespace: namespace.clone(), handle: handle.clone() };
        let by = registry();
        let done = match (before, role) {
            (None, Some(role)) => app.registry.commit(&by, |c| members::add(c, &set(role))).map(drop),
            (Some(_), Some(role)) => app.registry.commit(&by, |c| members::set_role(c, &set(role))).map(drop),
            (_, None) => app.registry.commit(&by, |c| members::remove(c, &remove())).map(drop),
        };
        warn(done, handle, "cannot give or take a role that a group gives");
    }
    Ok(app.local.note_sign_in(handle, Timestamp::now())?)
}

/// The namespaces that the settings name, with the roles that they name there and the highest that the groups give.
fn roles(
    settings: &ProviderSettings,
    groups: &[String],
) -> BTreeMap<Namespace, (Vec<MemberRole>, Option<MemberRole>)> {
    let mut all: BTreeMap<Namespace, (Vec<MemberRole>, Option<MemberRole>)> = BTreeMap::new();
    for (group, roles) in &settings.roles {
        for (namespace, role) in roles {
            let (named, given) = all.entry(namespace.clone()).or_default();
            named.push(*role);
            if groups.contains(group) {
                *given = (*given).max(Some(*role));
            }
        }
    }
    all
}

fn set_platform_role(app: &App, settings: &ProviderSettings, handle: &Handle, groups: &[String]) {
    let is_admin = settings.admins.iter().any(|group| groups.contains(group));
    let before = app.registry.read(|catalog| catalog.private.user(handle).map(|user| user.role));
    let role = match (before, is_admin) {
        (_, true) => PlatformRole::Admin,
        (Some(PlatformRole::Admin), false) => PlatformRole::User,
        // Moderators are made by hand.
        _ => return,
    };
    let done = app.registry.commit(&registry(), |context| users::set_role(context, handle, role));
    warn(done.map(drop), handle, "cannot give or take the role of a platform admin");
}

fn warn(done: Result<(), CommitError>, handle: &Handle, what: &str) {
    if let Err(error) = done {
        tracing::warn!(%handle, error = %with_causes(&error), "{what}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handle_is_made_of_the_claim() {
        for (claim, handle) in [
            ("Ann", "ann"),
            ("ann.smith@example.org", "ann-smith"),
            ("Ann  Smith_2", "ann-smith-2"),
            ("-ann-", "ann"),
            ("Jürgen", "j-rgen"),
            ("", ""),
            ("安", ""),
        ] {
            assert_eq!(proposed(claim), handle, "{claim}");
        }
    }

    #[test]
    fn groups_give_the_highest_role() {
        let team: Namespace = "team".parse().unwrap();
        let role = |role| vec![(team.clone(), role)];
        let settings = ProviderSettings {
            roles: BTreeMap::from([
                ("staff".into(), role(MemberRole::Member)),
                ("leads".into(), role(MemberRole::Admin)),
            ]),
            ..ProviderSettings::default()
        };
        let given = |groups: &[&str]| {
            let groups: Vec<String> = groups.iter().map(ToString::to_string).collect();
            roles(&settings, &groups)[&team].1
        };
        assert_eq!(given(&["leads", "staff"]), Some(MemberRole::Admin));
        assert_eq!(given(&["staff", "others"]), Some(MemberRole::Member));
        assert_eq!(given(&["Staff"]), None);
    }
}
