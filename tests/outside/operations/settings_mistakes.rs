//! Mistakes in settings are told in our own words, with what to write instead.

use crate::harness::Registry;

/// Words of the parsers that no person has to read.
const OF_THE_PARSER: [&str; 8] = [
    "expected struct",
    "invalid type",
    "invalid value",
    "TOML parse error",
    "unknown variant",
    "unknown field",
    "a sequence",
    "path string",
];

#[test]
fn value_of_another_kind_is_answered_with_what_to_write() {
    for (settings, says) in [
        ("log = \"xml\"", "log: \"xml\" cannot be used here: write [log] on a line of its own"),
        ("mirror = 5", "mirror: 5 cannot be used here: write [mirror] on a line of its own"),
        (
            "[log]\nformat = \"xml\"",
            "line 2: log.format: xml cannot be used here: write \"text\" or \"json\"",
        ),
        ("[log]\nformat = 5", "log.format: 5 cannot be used here: write \"text\" or \"json\""),
        ("[log]\nformat = [\"json\"]", "log.format: "),
        // A mistake elsewhere in the file gives no advice for this one.
        ("data = 5\n[log]\nformat = \"xml\"", "data: 5 cannot be used here: write a path in quotes"),
        ("[purge]\ncommand = \"purge\"", "write a list, such as [\"a\", \"b\"]"),
        ("[namespaces]\ncreation = true", "namespaces.creation: "),
        ("[limits]\nfiles = \"many\"", "limits.files: \"many\" cannot be used here: write a whole number"),
        ("[limits]\nfiles = 1.5", "limits.files: 1.5 cannot be used here: write a whole number"),
        ("[limits]\nwrites_per_minute = 0", "limits.writes_per_minute: "),
        ("[limits]\ntrusted_proxies = \"::1\"", "write a list, such as [\"a\", \"b\"]"),
        ("[mirror]\ngit = \"yes\"", "mirror.git: \"yes\" cannot be used here: write true or false"),
        ("data = 5", "data: 5 cannot be used here: write a path in quotes"),
        ("data = [\"data\"]", "data: a list cannot be used here: write a path in quotes"),
        ("[signing]\ncommand = \"sign\"", "write a list, such as [\"a\", \"b\"]"),
        ("[sessions]\ndays = 900", "sessions.days: 900 cannot be used here: write a number from 1 to 400"),
        ("lisen = 80", "lisen: there is no such setting: did you mean `listen`?"),
        (
            "[mirror]\nwait_timout = 5",
            "mirror.wait_timout: there is no such setting: did you mean `wait_timeout`?",
        ),
        ("[mirorr]\ngit = true", "did you mean `mirror`?"),
        ("wait_timeout = 5", "did you mean `mirror.wait_timeout`?"),
        ("data = \"a\"\ndata = \"b\"", "line 2: this setting or section appears twice: remove one"),
        ("data = \"a\"\nlisten = = 5", "line 2: this is not TOML"),
        ("[storage\njournal = \"postgres://u:hunter2@h\"", "line 1: this is not TOML"),
    ] {
        let said = Registry::configured(settings).command(["user", "list"]);
        assert!(said.code == 1 && said.stderr.contains("config.toml"), "{settings}: {said:?}");
        assert!(said.stderr.contains(says), "{settings}: {says}: {said:?}");
        let lines = said.stderr.trim_end().lines().count();
        assert!(lines == 1 && !said.stderr.contains("hunter2"), "{settings}: {said:?}");
        for word in OF_THE_PARSER {
            assert!(!said.stderr.contains(word), "{settings}: {word}: {said:?}");
        }
    }
}

#[test]
fn variable_is_answered_like_a_setting() {
    for (variable, value, says) in [
        (
            "SKILLMIRROR_LISTN",
            "80",
            "SKILLMIRROR_LISTN: there is no such setting: did you mean `SKILLMIRROR_LISTEN`?",
        ),
        (
            "SKILLMIRROR_LOG_FORMAT",
            "xml",
            "SKILLMIRROR_LOG_FORMAT: xml cannot be used here: write \"text\" or \"json\"",
        ),
        (
            "SKILLMIRROR_MIRROR_GIT",
            "yes",
            "SKILLMIRROR_MIRROR_GIT: \"yes\" cannot be used here: write true or false",
        ),
    ] {
        let said = Registry::configured("").command_with_variable(["user", "list"], variable, value);
        assert!(said.code == 1 && said.stderr.contains(says), "{variable}: {said:?}");
    }
}
