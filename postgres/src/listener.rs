//! Wakes a server when a row was appended, so that it need not wait for its next look.

use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{AsyncMessage, Config, Error, Socket};

/// The name under which an append sends notifications.
pub(crate) const CHANNEL: &str = "skillmirror_rows";
const LISTEN: &str = "LISTEN skillmirror_rows";

/// The pause before the next connection after one broke, or was refused.
const PAUSE: Duration = Duration::from_secs(5);

/// Calls `wake` after each append of a process that is not `own`, and after each new connection, because rows may
/// have been missed. Never ends. Nothing depends on it, since servers look for rows by themselves: a pooler swallows notifications, and a
/// connection that breaks silently is noticed after half a minute at the earliest.
pub(crate) async fn listen<T>(config: Config, tls: T, own: String, wake: Arc<dyn Fn() + Send + Sync>)
where
    T: MakeTlsConnect<Socket> + Clone,
{
    loop {
        // The work of the server meets the same failure, and tells it.
        let _ = listen_once(&config, tls.clone(), &own, &*wake).await;
        tokio::time::sleep(PAUSE).await;
    }
}

/// Listens until the connection breaks.
async fn listen_once<T: MakeTlsConnect<Socket>>(
    config: &Config,
    tls: T,
    own: &str,
    wake: &(dyn Fn() + Send + Sync),
) -> Result<(), Error> {
    let (client, mut connection) = config.connect(tls).await?;
    let (mut statement, mut is_listening) = (pin!(client.batch_execute(LISTEN)), false);
    std::future::poll_fn(|context| {
        // The statement is sent while messages are read.
        while let Poll::Ready(message) = connection.poll_message(context) {
            match message.transpose()? {
                Some(AsyncMessage::Notification(append)) if append.payload() != own => wake(),
                Some(_) => {}
                None => return Poll::Ready(Ok(())),
            }
        }
        if !is_listening && let Poll::Ready(done) = statement.as_mut().poll(context) {
            done?;
            is_listening = true;
            wake();
        }
        Poll::Pending
    })
    .await
}
