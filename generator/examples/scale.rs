#![allow(warnings)]
#[path = "../tests/search/shelf.rs"]
mod shelf;
use generator::search::*;
use shelf::*;
use std::time::Instant;
fn rss() -> u64 {
    let s = std::fs::read_to_string("/proc/self/statm").unwrap();
    s.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4 / 1024
}
fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let tsv = std::fs::read_to_string("/work/.library/env/packages/npm.tsv").unwrap();
    let rows: Vec<(&str, &str)> = tsv
        .lines()
        .skip(1)
        .filter_map(|l| {
            let f: Vec<&str> = l.split('\t').collect();
            if f.len() > 3 && f[3].len() >= 30 { Some((f[0], f[3])) } else { None }
        })
        .collect();
    println!("{} rows", rows.len());
    let step = rows.len() as f64 / n as f64;
    let mut shelf = Shelf::new();
    let mut texts = vec![];
    let mut seen = std::collections::HashSet::new();
    for i in 0..n {
        let (name, sum) = rows[(i as f64 * step) as usize];
        let mut slug: String =
            name.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        while slug.contains("--") {
            slug = slug.replace("--", "-");
        }
        let mut slug = slug.trim_matches('-').chars().take(60).collect::<String>();
        slug = slug.trim_matches('-').to_string();
        if slug.is_empty() || !seen.insert(slug.clone()) {
            continue;
        }
        let mut t = Text::new(&slug, &sum.chars().take(1000).collect::<String>());
        if slug.parse::<registry::names::Slug>().is_err() {
            continue;
        }
        shelf.publish(&t, "1.0.0");
        texts.push(t);
    }
    println!("catalog {} skills rss {} MB", texts.len(), rss());
    let before = rss();
    let t = Instant::now();
    let shared = Shared::default();
    {
        let ix = shared.of(&shelf.catalog);
        println!("built in {:?} rss +{} MB", t.elapsed(), rss() - before);
        let mut sizes: Vec<usize> = ix.pieces().map(|p| ix.piece(p).unwrap().len()).collect();
        sizes.sort();
        println!(
            "files {} total {} KB median {} max {} manifest {}",
            sizes.len(),
            sizes.iter().sum::<usize>() / 1024,
            sizes[sizes.len() / 2],
            sizes.last().unwrap(),
            ix.manifest().encode().len()
        );
    }
    // updates
    for round in 0..10 {
        let mut t = texts[(round * 7919) % texts.len()].clone();
        t.slug = format!("new-skill-{round}");
        t.name = format!("New Skill {round}");
        t.description = texts[(round * 104729 + 5) % texts.len()].description.clone()
            + " "
            + &texts[(round * 1299709 + 7) % texts.len()].description;
        let old: std::collections::HashSet<_> = shared.of(&shelf.catalog).pieces().collect();
        shelf.publish(&t, "1.0.0");
        let c = Instant::now();
        let ix = shared.of(&shelf.catalog);
        let d = c.elapsed();
        let m = Instant::now();
        let _ = ix.manifest().encode();
        let md = m.elapsed();
        let new: Vec<_> = ix.pieces().filter(|p| !old.contains(p)).collect();
        println!(
            "update {:?} manifest {:?} pieces {} bytes {}",
            d,
            md,
            new.len(),
            new.iter().map(|p| ix.piece(*p).unwrap().len()).sum::<usize>()
        );
    }
    // queries
    let ix = shared.of(&shelf.catalog);
    for k in 1..=4 {
        let mut times = vec![];
        for i in 0..3000 {
            let t = &texts[(i * 7919) % texts.len()];
            let w = words::words(&t.description);
            if w.len() < k {
                continue;
            }
            let q: Vec<_> = (0..k).map(|j| w[(i + j * 3) % w.len()].clone()).collect();
            let q = q.join(" ");
            let c = Instant::now();
            let f = ix.find(&Query::new(&q), None).unwrap();
            let mut x = 0;
            for h in f.hits.iter().take(10) {
                x += f.card(h).unwrap().0.len();
            }
            times.push(c.elapsed());
            std::hint::black_box(x);
        }
        times.sort();
        println!(
            "{k} words p50 {:?} p99 {:?} max {:?}",
            times[times.len() / 2],
            times[times.len() * 99 / 100],
            times.last().unwrap()
        );
    }
}
