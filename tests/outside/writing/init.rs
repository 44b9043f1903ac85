//! `skillmirror init`.

use crate::harness::Home;
use crate::harness::terminal::Terminal;

#[test]
fn new_skill_passes_the_check_with_a_warning_for_each_placeholder() {
    let home = Home::new();
    let output = home.run(&["init", "pdf-forms", "--yes"]).ok();
    assert!(output.stdout.starts_with("wrote pdf-forms/SKILL.md: edit it, then"), "{output:?}");
    let checked = home.run(&["check", "pdf-forms"]).ok();
    assert!(checked.stdout.contains("no errors, 3 warnings; 1 file"), "{checked:?}");
    assert_eq!(checked.stdout.matches("[placeholder_left]").count(), 3, "{checked:?}");
    assert_eq!(checked.stdout.matches("replace this line of the template").count(), 2, "{checked:?}");
    let edited = "---\nname: pdf-forms\ndescription: Fills in forms.\n---\n\n# PDF forms\n";
    std::fs::write(home.folder().join("pdf-forms/SKILL.md"), edited).unwrap();
    let checked = home.run(&["check", "pdf-forms"]).ok();
    assert!(checked.stdout.contains("no errors, 0 warnings; 1 file"), "{checked:?}");
    let json = home.json(&["init", "other", "--description", "Greets: \"all\".", "--license", "MIT"]);
    assert_eq!((&json["name"], &json["license"]), (&"other".into(), &"MIT".into()));
    let text = std::fs::read_to_string(home.folder().join("other/SKILL.md")).unwrap();
    assert!(text.contains("description: \"Greets: \\\"all\\\".\"\nlicense: \"MIT\"\n"), "{text}");
    home.run(&["check", "other"]).ok();
}

#[test]
fn existing_file_is_never_replaced() {
    let home = Home::new();
    std::fs::create_dir(home.folder().join("hello")).unwrap();
    let file = home.folder().join("hello/skill.md");
    std::fs::write(&file, "mine").unwrap();
    let why = home.refusal("unreadable", &["init", "hello", "--yes"]);
    assert!(why.contains("hello/skill.md: it exists already"), "{why}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    assert!(!home.folder().join("hello/SKILL.md").exists());
}

#[test]
fn terminal_is_asked_for_what_no_option_says() {
    let home = Home::new();
    let skill = home.folder().join("My Skill");
    std::fs::create_dir(&skill).unwrap();
    let terminal = Terminal::of(80).typing(&["Not a name", "", "Greets people.", ""]);
    let shown = terminal.run(&skill, &["init"]).ok();
    for asked in ["Name [my-skill]: ", "invalid name: ", "agent use it? [", "License [none]: "] {
        assert!(shown.contains(asked), "{asked}: {shown}");
    }
    let text = std::fs::read_to_string(skill.join("SKILL.md")).unwrap();
    assert!(text.starts_with("---\nname: my-skill\ndescription: Greets people.\n---\n"), "{text}");
}

#[test]
fn without_terminal_the_description_must_be_given() {
    let home = Home::new();
    let why = home.refusal("unsupported", &["init", "hello"]);
    assert!(why.contains("--description") && why.contains("--yes"), "{why}");
    let long = "x".repeat(1025);
    let why = home.refusal("unreadable", &["init", "hello", "--description", &long]);
    assert!(why.contains("longer than 1024 characters"), "{why}");
    assert!(!home.folder().join("hello").exists(), "nothing was written");
}
