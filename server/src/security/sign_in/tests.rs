use std::net::IpAddr;

use futures_util::FutureExt;
use futures_util::future::{join, join_all};
use registry::journal::MemoryJournal;

use super::*;
use crate::problem::Code;
use crate::security::turns::MAX_QUEUED;

#[tokio::test]
async fn full_queue_refuses_and_does_not_block_other_clients() {
    let data = tempfile::tempdir().unwrap();
    let registry = Arc::new(Registry::open(Arc::new(MemoryJournal::new())).unwrap());
    let local = Arc::new(LocalStore::open(data.path()).unwrap().0);
    let sign_in = SignIn::new(registry, local, 1);
    let check = |handle: &'static str, address: &str| {
        let client = ClientAddress::Known(address.parse::<IpAddr>().unwrap());
        sign_in.check(handle, "wrong password".to_owned().into(), client).boxed()
    };
    // All checks wait while no processor is free.
    let all = sign_in.turns.processors.acquire().await.unwrap();
    let mut waiting: Vec<_> = (0..MAX_QUEUED).map(|_| check("ann", "192.0.2.1")).collect();
    assert!(waiting.iter_mut().all(|check| check.now_or_never().is_none()));
    let refused = check("bob", "192.0.2.1").now_or_never().unwrap();
    assert_eq!(refused.err().map(|problem| problem.code()), Some(Code::Unavailable));
    let mut other = check("ann", "192.0.2.2");
    assert!((&mut other).now_or_never().is_none());
    drop(all);
    // Polled together, because permits go to the longest waiting.
    let (other, checks) = join(other, join_all(waiting)).await;
    assert!(matches!(other, Ok(None)));
    let mut wrong = 0;
    for check in checks {
        match check {
            Ok(None) => wrong += 1,
            Ok(Some(_)) => panic!("no account has a password"),
            Err(problem) => assert_eq!(problem.code(), Code::RateLimited),
        }
    }
    assert_eq!(wrong, 10);
    assert!(matches!(check("bob", "192.0.2.1").await, Ok(None)), "the queue has room again");
}
