//! One connection to the database. Each of its answers is awaited for a limited time.

use std::cell::Cell;
use std::future::Future;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::coop::unconstrained;
use tokio::time::error::Elapsed;
use tokio::time::timeout;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Config, Error, Row, Socket};

use crate::error::StoreError;

/// The parameters of a statement, each with its type. [`crate::params::params`] makes them.
pub(crate) type Params<'p> = [(&'p (dyn ToSql + Sync), Type)];

/// A connection that nobody else uses. Its methods block the thread, and another runtime carries the connection.
///
/// All methods return [`StoreError::Silent`] if no answer comes in time. Nothing more is sent then.
pub(crate) struct Connection {
    client: Client,
    runtime: Handle,
    /// How long each answer is awaited.
    limit: Duration,
    /// Whether an answer has not come in time.
    is_silent: Cell<bool>,
}

impl Connection {
    /// Connects. `runtime` carries the connection, so it has to outlive it.
    pub(crate) fn open<T>(
        config: &Config,
        tls: T,
        runtime: &Handle,
        limit: Duration,
    ) -> Result<Self, StoreError>
    where
        T: MakeTlsConnect<Socket>,
        T::Stream: Send + 'static,
    {
        let opened = block_on(runtime, limit, config.connect(tls));
        let (client, socket) = opened.map_err(|_| StoreError::Silent(limit))??;
        // Its error also reaches the statement that waits for an answer.
        runtime.spawn(socket);
        Ok(Self { client, runtime: runtime.clone(), limit, is_silent: Cell::new(false) })
    }

    /// Changes how long each answer is awaited.
    pub(crate) fn set_limit(&mut self, limit: Duration) {
        self.limit = limit;
    }

    /// How long a statement may wait for a lock, as a setting of PostgreSQL: for less time than its answer is awaited,
    /// so that nothing is done later.
    pub(crate) fn lock_timeout(&self) -> String {
        format!("{}ms", self.limit.as_millis() / 2)
    }

    /// Whether nothing can be sent any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_silent.get() || self.client.is_closed()
    }

    /// Executes statements without parameters, separated by semicolons.
    pub(crate) fn batch_execute(&mut self, statements: &str) -> Result<(), StoreError> {
        self.wait(self.client.batch_execute(statements))
    }

    /// Executes a statement. Returns the number of changed rows.
    pub(crate) fn execute(&mut self, statement: &str, params: &Params) -> Result<u64, StoreError> {
        self.wait(self.client.execute_typed(statement, params))
    }

    /// The rows that a statement returns.
    pub(crate) fn query(&mut self, statement: &str, params: &Params) -> Result<Vec<Row>, StoreError> {
        self.wait(self.client.query_typed(statement, params))
    }

    /// The row that a statement returns, if there is one.
    pub(crate) fn query_opt(&mut self, statement: &str, params: &Params) -> Result<Option<Row>, StoreError> {
        self.wait(self.client.query_typed_opt(statement, params))
    }

    /// The only row that a statement returns.
    pub(crate) fn query_one(&mut self, statement: &str, params: &Params) -> Result<Row, StoreError> {
        self.wait(self.client.query_typed_one(statement, params))
    }

    /// Waits for an answer.
    fn wait<T>(&self, answer: impl Future<Output = Result<T, Error>>) -> Result<T, StoreError> {
        if self.is_silent.get() {
            return Err(StoreError::Silent(self.limit));
        }
        let answer = block_on(&self.runtime, self.limit, answer);
        self.is_silent.set(answer.is_err());
        Ok(answer.map_err(|_| StoreError::Silent(self.limit))??)
    }
}

/// Waits for `answer`, which `runtime` works on. Unlike the method of a runtime, a thread of another runtime may call it.
/// `unconstrained`, because a task there may have used up its budget: then nothing would ever be ready.
fn block_on<T>(runtime: &Handle, limit: Duration, answer: impl Future<Output = T>) -> Result<T, Elapsed> {
    let _runtime_of_the_timer = runtime.enter();
    futures_executor::block_on(unconstrained(timeout(limit, answer)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use tokio::runtime::Builder;
    use tokio::task::coop::{consume_budget, has_budget_remaining};
    use tokio::time::sleep;

    use super::*;

    #[test]
    fn block_on_in_a_task_without_budget_ends() {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let other = Builder::new_current_thread().build().unwrap();
        other.block_on(async {
            while has_budget_remaining() {
                consume_budget().await;
            }
            let answer = async { sleep(Duration::from_millis(1)).await };
            block_on(runtime.handle(), Duration::from_secs(60), answer).unwrap();
        });
    }
}
