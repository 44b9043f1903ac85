//! Addresses of sources: redirects and user names.

use crate::harness::{CommandOutput, FakeHost, Registry, Reply, Skill, StaticHost, run};

/// Generates a mirror from the source at `feed`.
fn generate(registry: &Registry, feed: &str) -> CommandOutput {
    run(registry.folder(), &["generate", "--feed", feed, "--out", "mirror"].map(Into::into))
}

/// A host that redirects everything to `to`.
fn redirecting(to: &str) -> FakeHost {
    let to = to.to_owned();
    FakeHost::answering(move |asked| Reply::redirect(302, &format!("{to}{}", asked.path)))
}

#[test]
fn source_is_read_through_safe_redirects_only() {
    let registry = Registry::start();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    let host = StaticHost::over(&registry.public());
    generate(&registry, &redirecting(&host.base).base).ok();
    let with_user = host.base.replace("http://", "http://ann:secret@");
    for (to, why) in [
        (with_user.as_str(), "contains a user name"),
        ("ftp://ann:secret@files.example", "not an HTTP address"),
        ("file:///etc", "not an HTTP address"),
    ] {
        let refused = generate(&registry, &redirecting(to).base);
        assert!(refused.code == 1 && refused.stderr.contains(why), "{to}: {refused:?}");
        assert!(!refused.printed().contains("secret"), "{refused:?}");
    }
    let circle = FakeHost::answering(|asked| Reply::redirect(307, &asked.path));
    let refused = generate(&registry, &circle.base);
    assert!(refused.code == 1 && refused.stderr.contains("redirects more than 5 times"), "{refused:?}");
}

#[test]
fn source_may_be_named_by_the_base_of_its_api() {
    let registry = Registry::start();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    let host = StaticHost::over(&registry.public());
    let folder = registry.public().display().to_string();
    for base in [host.base.clone(), registry.base().to_owned(), format!("file://{folder}"), folder] {
        for end in ["/", "/api/v1", "/api/v1/"] {
            generate(&registry, &format!("{base}{end}")).ok();
        }
    }
}

#[test]
fn user_name_in_the_address_of_a_source_is_refused_and_not_printed() {
    let registry = Registry::start();
    for feed in
        ["https://ann:secret@skills.example", "http://ann:secret@", "ftp://ann:secret@x", "http://secret@x?y"]
    {
        for command in [&["generate", "--out", "mirror"][..], &["watch"]] {
            let output = registry.command([command, &["--feed", feed]].concat());
            assert!(output.code == 1 && output.stderr.contains("contains a user name"), "{output:?}");
            assert!(!output.printed().contains("secret"), "{output:?}");
        }
    }
}
