//! Texts of others in tables and sentences.

use registry::public::Person;
use registry::time::Timestamp;

use crate::output::escape_line;
pub use crate::output::one_line;

/// The day of a time.
pub fn day(time: Timestamp) -> String {
    time.to_string().chars().take(10).collect()
}

/// The day of a time, or another word if there is none.
pub fn day_or(time: Option<Timestamp>, none: &str) -> String {
    time.map_or(none.to_owned(), day)
}

/// The name of a person, with the permanent name if both differ.
pub fn person(person: &Person) -> String {
    if person.display_name == person.handle.as_str() {
        return person.handle.to_string();
    }
    escape_line(format!("{} ({})", person.display_name, person.handle))
}

/// `some` if there is a text, to be followed by it, else nothing.
pub fn with(some: &str, text: Option<&str>) -> String {
    text.filter(|text| !text.is_empty()).map_or(String::new(), |text| format!("{some}{}", one_line(text)))
}
