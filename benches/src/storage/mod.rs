//! A journal in PostgreSQL: rows compared with bare inserts, publications compared with those of a
//! journal in a folder, and two servers compared with one.

mod database;
mod publications;
mod rows;

use std::fs;
use std::path::Path;

use crate::Failure;
use crate::effort::Effort;
use crate::table::Row;
use database::Database;

/// Measures with an empty database on the file system of `scratch`.
pub fn measure(effort: Effort, scratch: &Path) -> Result<Vec<Row>, Failure> {
    let scratch = fs::canonicalize(scratch)?;
    let database = Database::start(&scratch.join("database"))?;
    let mut rows = rows::measure(effort, &database)?;
    rows.extend(publications::measure(effort, &scratch, &database)?);
    Ok(rows)
}
