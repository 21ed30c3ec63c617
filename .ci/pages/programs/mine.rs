//! A bot that is legal in Photosynthesis and in AHC015.

use std::io::stdin;

fn main() {
    let mut lines = stdin().lines().map_while(Result::ok);
    let first = lines.next().unwrap_or_default();
    if first.len() == 199 {
        lines.take(100).for_each(|_| println!("F"));
        return;
    }
    // The ground, then the days, each with the number of trees and of possible actions.
    (0..36).for_each(|_| drop(lines.next()));
    while lines.next().is_some() {
        (0..3).for_each(|_| drop(lines.next()));
        for _ in 0..2 {
            let number = lines.next().and_then(|line| line.trim().parse().ok()).unwrap_or(0);
            (0..number).for_each(|_| drop(lines.next()));
        }
        println!("WAIT");
    }
}
