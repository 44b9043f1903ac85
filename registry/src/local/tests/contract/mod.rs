//! The suite that every engine of [`Records`] has to pass, in this crate or in another one.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "these are tests")]

pub mod records;
pub mod write_counts;

use std::sync::Arc;

use super::Records;

/// An engine under test. Each `open` gives the view of another process.
pub trait RecordsUnderTest {
    /// An empty store.
    fn new() -> Self;
    /// Opens it.
    fn open(&self) -> Arc<dyn Records>;
}

/// Makes the tests of a type that implements [`RecordsUnderTest`].
#[macro_export]
macro_rules! records_contract {
    ($engine:ty) => {
        mod records {
            $crate::contract_tests!(
                $engine,
                $crate::local::contract::RecordsUnderTest,
                $crate::local::contract::records,
                put_replaces_and_is_visible_to_other_processes,
                get_returns_records_in_the_order_of_their_places,
                values_come_back_as_they_were,
                scan_is_bounded_and_in_the_order_of_keys,
                since_returns_later_numbers_in_their_order,
                count_and_delete_prefix_are_of_one_space,
                delete_expired_deletes_from_its_time_on,
                failed_work_changes_nothing,
                snapshot_is_of_one_state,
                work_with_a_lock_counts_exactly,
                record_is_held_until_the_end_of_the_work,
                record_that_is_taken_by_many_is_taken_once,
            );
        }
        mod write_counts {
            $crate::contract_tests!(
                $engine,
                $crate::local::contract::RecordsUnderTest,
                $crate::local::contract::write_counts,
                writes_above_the_limit_are_refused_for_each_key,
                writes_in_time_are_allowed_again,
                change_of_the_limit_keeps_what_was_counted,
                forget_keeps_keys_whose_limit_is_in_use,
            );
        }
    };
}
