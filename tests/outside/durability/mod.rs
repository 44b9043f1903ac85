//! Crashes, full disks and damage: nothing acknowledged is lost.

mod full_data_disk;
mod full_output_disk;
mod histories;
mod journal_damage;
mod kills;
mod redaction;
mod start_on_full_disk;
