//! Values as PostgreSQL stores them.

use tokio_postgres::Row;
use tokio_postgres::types::FromSql;

use crate::error::StoreError;

/// The parameters of a statement, each with its type: nothing has to be prepared then.
macro_rules! params {
    ($($kind:ident $value:expr),* $(,)?) => {
        &[$((&$value as &(dyn tokio_postgres::types::ToSql + Sync), tokio_postgres::types::Type::$kind)),*]
    };
}
pub(crate) use params;

/// A count, revision or limit as PostgreSQL stores numbers, which are signed. Values above `i64::MAX`
/// are saturated: no row has such a number.
pub(crate) fn to_sql(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A column.
///
/// Errors: [`StoreError::Damaged`] if it has another type, or is null.
pub(crate) fn read<'r, T: FromSql<'r>>(row: &'r Row, column: usize) -> Result<T, StoreError> {
    row.try_get(column).map_err(|_| StoreError::Damaged(format!("column {column} has an unexpected value")))
}

/// A number that [`to_sql`] stored.
///
/// Errors: [`StoreError::Damaged`] if it is negative.
pub(crate) fn read_u64(row: &Row, column: usize) -> Result<u64, StoreError> {
    let number: i64 = read(row, column)?;
    u64::try_from(number).map_err(|_| StoreError::Damaged(format!("column {column} is negative")))
}

/// Bytes of a fixed length, such as a digest.
///
/// Errors: [`StoreError::Damaged`] if there are more or fewer.
pub(crate) fn read_bytes<const N: usize>(row: &Row, column: usize) -> Result<[u8; N], StoreError> {
    let bytes: &[u8] = read(row, column)?;
    bytes.try_into().map_err(|_| StoreError::Damaged(format!("column {column} has an unexpected length")))
}

/// A text that is stored as UTF-8 bytes.
///
/// Errors: [`StoreError::Damaged`] if it is not UTF-8.
pub(crate) fn read_utf8(row: &Row, column: usize) -> Result<String, StoreError> {
    let bytes: Vec<u8> = read(row, column)?;
    String::from_utf8(bytes).map_err(|_| StoreError::Damaged(format!("column {column} is not UTF-8")))
}
