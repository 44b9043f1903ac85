//! One connection to the database. Each of its answers is awaited for a limited time.

use std::future::Future;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::timeout;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Config, Error, Row, Socket};

use crate::error::StoreError;

/// The parameters of a statement, each with its type. [`crate::params::params`] makes them.
type Params<'p> = [(&'p (dyn ToSql + Sync), Type)];

/// A connection that nobody else uses. Its methods block, so no thread of a runtime may call them.
///
/// All methods return [`StoreError::Silent`] if no answer comes in time. Nothing more is sent then.
pub(crate) struct Connection {
    client: Client,
    runtime: Handle,
    /// How long each answer is awaited.
    limit: Duration,
    is_silent: bool,
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
        let opened = runtime.block_on(async { timeout(limit, config.connect(tls)).await });
        let (client, socket) = opened.map_err(|_| StoreError::Silent(limit))??;
        // Its error also reaches the statement that waits for an answer.
        runtime.spawn(socket);
        Ok(Self { client, runtime: runtime.clone(), limit, is_silent: false })
    }

    /// Changes how long each answer is awaited.
    pub(crate) fn set_limit(&mut self, limit: Duration) {
        self.limit = limit;
    }

    /// Whether nothing can be sent any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_silent || self.client.is_closed()
    }

    /// Executes statements without parameters, separated by semicolons.
    pub(crate) fn batch_execute(&mut self, statements: &str) -> Result<(), StoreError> {
        wait(&self.runtime, self.limit, &mut self.is_silent, self.client.batch_execute(statements))
    }

    /// Executes a statement. Returns the number of changed rows.
    pub(crate) fn execute(&mut self, statement: &str, params: &Params) -> Result<u64, StoreError> {
        wait(&self.runtime, self.limit, &mut self.is_silent, self.client.execute_typed(statement, params))
    }

    /// The rows that a statement returns.
    pub(crate) fn query(&mut self, statement: &str, params: &Params) -> Result<Vec<Row>, StoreError> {
        wait(&self.runtime, self.limit, &mut self.is_silent, self.client.query_typed(statement, params))
    }

    /// The row that a statement returns, if there is one.
    pub(crate) fn query_opt(&mut self, statement: &str, params: &Params) -> Result<Option<Row>, StoreError> {
        wait(&self.runtime, self.limit, &mut self.is_silent, self.client.query_typed_opt(statement, params))
    }

    /// The only row that a statement returns.
    pub(crate) fn query_one(&mut self, statement: &str, params: &Params) -> Result<Row, StoreError> {
        wait(&self.runtime, self.limit, &mut self.is_silent, self.client.query_typed_one(statement, params))
    }
}

/// Waits for an answer.
fn wait<T>(
    runtime: &Handle,
    limit: Duration,
    is_silent: &mut bool,
    answer: impl Future<Output = Result<T, Error>>,
) -> Result<T, StoreError> {
    if *is_silent {
        return Err(StoreError::Silent(limit));
    }
    match runtime.block_on(async { timeout(limit, answer).await }) {
        Ok(answer) => Ok(answer?),
        Err(_) => {
            *is_silent = true;
            Err(StoreError::Silent(limit))
        }
    }
}
