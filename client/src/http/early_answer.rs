//! Answers that arrive before the body was sent.
//!
//! A request with `Expect: 100-continue` waits for permission to send its body. A host may refuse
//! at once instead, for example with 413. ureq 3.5 reads this answer while it waits for the
//! permission, then waits for more data before it looks at the answer again: until the host closes
//! the connection, which over TLS is an error. This transport offers the same data once more.

use ureq::Error;
use ureq::unversioned::transport::{Buffers, ConnectionDetails, Connector, NextTimeout, Transport};

/// Adds [`EarlyAnswers`] to each connection.
#[derive(Debug)]
pub(super) struct EarlyAnswerConnector;

impl<In: Transport> Connector<In> for EarlyAnswerConnector {
    type Out = EarlyAnswers<In>;

    fn connect(&self, _: &ConnectionDetails, chained: Option<In>) -> Result<Option<Self::Out>, Error> {
        Ok(chained.map(|inner| EarlyAnswers { inner, was_offered_again: false }))
    }
}

/// A connection that offers unused data a second time before it waits for more.
#[derive(Debug)]
pub(super) struct EarlyAnswers<T> {
    inner: T,
    was_offered_again: bool,
}

impl<T: Transport> Transport for EarlyAnswers<T> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.inner.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.inner.transmit_output(amount, timeout)
    }

    /// ureq calls it if its last look at the data used none of it.
    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        if !self.was_offered_again && !self.inner.buffers().input().is_empty() {
            self.was_offered_again = true;
            return Ok(true);
        }
        self.was_offered_again = false;
        self.inner.await_input(timeout)
    }

    fn is_open(&mut self) -> bool {
        self.inner.is_open()
    }

    fn is_tls(&self) -> bool {
        self.inner.is_tls()
    }
}
