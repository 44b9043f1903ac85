//! The suite that every [`Local`] has to pass, in this crate or in another one.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "these are tests")]

pub mod accounts;
pub mod counts;
pub mod device_logins;
pub mod histories;
pub mod uploads;
pub mod write_counts;

use std::sync::Arc;

use super::{Local, LocalStore};

/// A store under test. Each `open` gives the view of another process.
pub trait LocalUnderTest {
    /// An empty store.
    fn new() -> Self;
    /// Opens it.
    fn open(&self) -> Arc<dyn Local>;
}

fn open(backend: &impl LocalUnderTest) -> LocalStore {
    LocalStore::on(backend.open())
}

/// Makes the tests of a type that implements [`LocalUnderTest`].
#[macro_export]
macro_rules! local_contract {
    ($local:ty) => {
        mod accounts {
            $crate::contract_tests!(
                $local,
                $crate::local::contract::LocalUnderTest,
                $crate::local::contract::accounts,
                set_password_is_visible_to_other_processes,
                session_is_active_until_its_lifetime_ends,
                session_is_visible_to_other_processes_and_after_a_restart,
                change_password_ends_the_other_sessions_of_its_owner,
                begin_session_ends_the_least_recently_used_one_above_the_limit,
                login_blocked_for_after_ten_failures_in_ten_minutes,
                record_login_failure_is_visible_to_others_and_forgets_old_ones,
                login_blocked_for_with_the_clock_set_back_is_at_most_the_window,
                token_used_is_visible_here_at_once_and_elsewhere_within_a_minute,
                token_last_used_is_the_latest_in_any_order,
            );
        }
        mod counts {
            $crate::contract_tests!(
                $local,
                $crate::local::contract::LocalUnderTest,
                $crate::local::contract::counts,
                publish_counters_is_visible_to_other_processes,
                publish_counters_with_an_old_generation_conflicts,
                adopt_counters_into_an_empty_store_sets_the_totals,
                count_downloads_counts_a_client_once_for_a_version_and_day,
                count_downloads_treats_mapped_addresses_as_equal,
                download_totals_since_returns_changes_only,
                count_downloads_in_two_processes_counts_all,
                clients_of_days_without_recent_use_are_forgotten,
            );
        }
        mod device_logins {
            $crate::contract_tests!(
                $local,
                $crate::local::contract::LocalUnderTest,
                $crate::local::contract::device_logins,
                allowed_login_is_collected_once_by_any_process,
                allowed_login_is_collected_by_one_of_many_polls_at_once,
                denied_login_ends,
                expired_codes_are_refused,
                client_that_polls_too_fast_is_slowed_down,
                unknown_and_confused_codes_are_refused,
                logins_are_limited_per_network_and_in_all,
                begin_in_two_processes_at_once_stays_within_the_limit,
                codes_are_stored_as_digests,
                history_replaced_ends_logins,
            );
        }
        mod uploads {
            $crate::contract_tests!(
                $local,
                $crate::local::contract::LocalUnderTest,
                $crate::local::contract::uploads,
                uploads_are_read_by_any_process,
                upload_ends_after_15_minutes,
                person_with_too_many_uploads_loses_the_oldest,
                uploads_of_the_person_with_most_give_way,
                refused_upload_changes_nothing,
                uploads_at_once_stay_within_the_limits,
                history_replaced_removes_uploads,
            );
        }
        mod write_counts {
            $crate::contract_tests!(
                $local,
                $crate::local::contract::LocalUnderTest,
                $crate::local::contract::write_counts,
                writes_above_the_limit_are_refused_for_each_key,
                writes_in_time_are_allowed_again,
                change_of_the_limit_keeps_what_was_counted,
                forget_keeps_keys_whose_limit_is_in_use,
            );
        }
        mod histories {
            $crate::contract_tests!(
                $local,
                $crate::local::contract::LocalUnderTest,
                $crate::local::contract::histories,
                count_log_stores_position_and_downloads,
                count_log_with_an_outdated_value_conflicts,
                history_replaced_removes_passwords_of_others_and_all_sessions,
                history_replaced_removes_counters_of_others,
                history_epoch_is_that_of_the_first_start,
                import_of_an_export_has_passwords_and_downloads,
                import_of_a_known_record_stores_nothing,
            );
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::SqliteLocal;

    pub struct Sqlite(tempfile::TempDir);

    impl LocalUnderTest for Sqlite {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn open(&self) -> Arc<dyn Local> {
            Arc::new(SqliteLocal::open(self.0.path()).unwrap().0)
        }
    }

    crate::local_contract!(crate::local::contract::tests::Sqlite);
}
