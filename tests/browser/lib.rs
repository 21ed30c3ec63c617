//! Tests of the page of `boughs serve` in a real browser, which `.ci/browser/run` runs.
