//! Pages of lists.

/// The most items on a page of the API.
pub const MAX_PAGE_SIZE: u8 = 100;

/// A request for one page of a list.
#[derive(Debug, Clone, Copy)]
pub struct PageRequest {
    /// The page, from 1.
    pub page: u64,
    /// The number of items on a page, 1 to [`MAX_PAGE_SIZE`].
    pub size: u8,
}

impl PageRequest {
    /// The first page, as long as possible.
    pub fn first() -> Self {
        Self { page: 1, size: MAX_PAGE_SIZE }
    }

    /// The path of this page of the list at `path`, which may have a query.
    pub(super) fn of(self, path: &str) -> String {
        let joint = if path.contains('?') { '&' } else { '?' };
        format!("{path}{joint}page={}&size={}", self.page, self.size)
    }
}
