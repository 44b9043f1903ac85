//! Texts of others in tables and sentences.

use client::source::records::Author;

use crate::output::escape_line;
pub use crate::output::one_line;

/// The day of a time in RFC 3339.
pub fn day(time: &str) -> String {
    escape_line(time.get(..10).unwrap_or(time))
}

/// The day of a time, or another word if there is none.
pub fn day_or(time: Option<&str>, none: &str) -> String {
    time.map_or(none.to_owned(), day)
}

/// The name of a person, with the permanent name if both differ.
pub fn person(person: &Author) -> String {
    if person.display_name == person.handle {
        return escape_line(&person.handle);
    }
    escape_line(format!("{} ({})", person.display_name, person.handle))
}

/// `some` if there is a text, to be followed by it, else nothing.
pub fn with(some: &str, text: Option<&str>) -> String {
    text.filter(|text| !text.is_empty()).map_or(String::new(), |text| format!("{some}{}", one_line(text)))
}
