//! Decides who gives way when something bounded is used up: connections, memory of uploads, logins
//! that have begun.
//!
//! A newcomer takes from the network that holds most, and there from the client that holds most,
//! unless that is the newcomer itself. So nobody can lock others out by holding all there is, and a newcomer
//! from a crowded network takes only from its neighbours.
//!
//! A network is an IPv4 /24 or an IPv6 /48: the smallest blocks that networks announce to each other
//! (RFC 7454, section 6.1.3), so what is nearer has one owner. A client is an IPv4 address or an IPv6
//! /64, which a household or a rented machine has with every address in it (RFC 6177).

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;

use crate::names::Handle;

/// The bits of an IPv4 and of an IPv6 address that name a client.
const CLIENT_BITS: (u32, u32) = (32, 64);
/// The bits of an IPv4 and of an IPv6 address that name a network.
const NETWORK_BITS: (u32, u32) = (24, 48);

/// The one to whom a part counts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Owner {
    network: String,
    client: String,
}

impl Owner {
    /// The client with an address.
    pub fn of_address(address: IpAddr) -> Self {
        let text = |bits| prefix(address, bits).to_string();
        Self { network: text(NETWORK_BITS), client: text(CLIENT_BITS) }
    }

    /// A person, whichever networks they use.
    pub fn of_person(person: &Handle) -> Self {
        Self::unrelated(person.to_string())
    }

    /// Somebody who shares a network with nobody.
    pub fn unrelated(name: String) -> Self {
        Self { network: name.clone(), client: name }
    }

    /// The network.
    pub fn network(&self) -> &str {
        &self.network
    }

    /// The client, within its network.
    pub fn client(&self) -> &str {
        &self.client
    }
}

/// The client that an address belongs to, as the first address of its block.
#[must_use]
pub fn client_of(address: IpAddr) -> IpAddr {
    prefix(address, CLIENT_BITS)
}

fn prefix(address: IpAddr, (v4, v6): (u32, u32)) -> IpAddr {
    match address {
        IpAddr::V4(address) => IpAddr::V4((address.to_bits() & (u32::MAX << (u32::BITS - v4))).into()),
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() & (u128::MAX << (u128::BITS - v6))).into()),
    }
}

/// A part that somebody holds.
#[derive(Debug, Clone)]
pub struct Held<'a, Id> {
    /// The holder.
    pub owner: &'a Owner,
    /// The size of the part.
    pub amount: u64,
    /// Names the part. The least one of an owner goes first. None: it cannot be taken away.
    pub id: Option<Id>,
}

/// The part that gives way to a newcomer who wants `amount`. None if the newcomer would hold most, or
/// as much as anybody: then it has to wait or to go.
pub fn gives_way<'a, Id: Ord>(
    newcomer: &Owner,
    amount: u64,
    held: impl Iterator<Item = Held<'a, Id>>,
) -> Option<Id> {
    let mut held: Vec<_> = held.collect();
    let networks = held.iter().map(|held| (&held.owner.network, held.amount));
    let network = heaviest((&newcomer.network, amount), networks).clone();
    held.retain(|held| held.owner.network == network);
    let clients = held.iter().map(|held| (&held.owner.client, held.amount));
    let own = if network == newcomer.network { amount } else { 0 };
    let client = heaviest((&newcomer.client, own), clients).clone();
    if client == newcomer.client {
        return None;
    }
    held.into_iter().filter(|held| held.owner.client == client).filter_map(|held| held.id).min()
}

/// The key with the largest sum. Of equal sums that of `first`, then the key that was met first.
fn heaviest<'a, K: Eq + Hash + ?Sized>(
    first: (&'a K, u64),
    others: impl Iterator<Item = (&'a K, u64)>,
) -> &'a K {
    let mut sums = HashMap::from([(first.0, (first.1, usize::MAX))]);
    for (place, (key, amount)) in others.enumerate() {
        sums.entry(key).or_insert((0, usize::MAX - 1 - place)).0 += amount;
    }
    sums.into_iter().max_by_key(|(_, order)| *order).map_or(first.0, |(key, _)| key)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn owner(address: &str) -> Owner {
        Owner::of_address(address.parse().unwrap())
    }

    /// The part that gives way to a newcomer, among parts of 1 with these owners, named by their place.
    fn victim(newcomer: &str, owners: &[&str]) -> Option<usize> {
        let owners: Vec<_> = owners.iter().map(|address| owner(address)).collect();
        let held = owners.iter().enumerate().map(|(id, owner)| Held { owner, amount: 1, id: Some(id) });
        gives_way(&owner(newcomer), 1, held)
    }

    #[test]
    fn oldest_part_of_the_largest_network_gives_way() {
        for (newcomer, owners, expected) in [
            // The client with most in one network, the newcomer's own or another.
            ("192.0.2.9", &["192.0.2.1", "192.0.2.2", "192.0.2.2"][..], Some(1)),
            ("203.0.113.1", &["192.0.2.1", "192.0.2.2", "192.0.2.2"], Some(1)),
            // An IPv6 /62 is four clients of one network, and each address of a /64 is one client.
            (
                "2001:db8:1::1",
                &["2001:db8:2::1", "2001:db8:2:1::1", "2001:db8:2:2::1", "2001:db8:2:3::1"],
                Some(0),
            ),
            ("2001:db8:1::1", &["2001:db8:3::1", "2001:db8:2::1", "2001:db8:2::2"], Some(1)),
            // A network with few clients does not pay for one with many.
            ("203.0.113.1", &["198.51.100.1", "192.0.2.1", "192.0.2.2", "192.0.2.3"], Some(1)),
        ] {
            assert_eq!(victim(newcomer, owners), expected, "{newcomer} {owners:?}");
        }
    }

    #[test]
    fn newcomer_with_most_takes_from_nobody() {
        for (newcomer, owners) in [
            ("192.0.2.1", &[][..]),
            ("192.0.2.1", &["192.0.2.1", "192.0.2.1", "203.0.113.1"]),
            ("192.0.2.3", &["192.0.2.1", "192.0.2.2", "203.0.113.1", "203.0.113.1"]),
            ("192.0.2.1", &["198.51.100.1", "203.0.113.1"]),
            ("2001:db8:2:9::1", &["2001:db8:2::1", "2001:db8:2:1::1"]),
        ] {
            assert_eq!(victim(newcomer, owners), None, "{newcomer} {owners:?}");
        }
    }

    #[test]
    fn part_that_cannot_be_taken_counts_and_stays() {
        let (many, few) = (owner("192.0.2.1"), owner("203.0.113.1"));
        let held = |id| [Held { owner: &many, amount: 5, id: None }, Held { owner: &many, amount: 1, id }];
        assert_eq!(gives_way(&few, 3, held(Some(7)).into_iter()), Some(7));
        assert_eq!(gives_way(&few, 3, held(None::<u8>).into_iter()), None);
        assert_eq!(gives_way(&few, 6, held(Some(7)).into_iter()), None);
        let (ann, bob) = (Owner::of_person(&"ann".parse().unwrap()), Owner::unrelated("bob".to_owned()));
        assert_eq!(gives_way(&ann, 1, [Held { owner: &bob, amount: 2, id: Some(0) }].into_iter()), Some(0));
    }
}
