//! The layout of the page, at two widths, in light and in dark, and what axe-core says of it.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::browser::{Page, server, with_page};

/// Lists pairs of boxes with words that overlap, texts that are cut, and what is wider than the page.
const FAULTS: &str = "
  const isShown = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const isFolded = at.tagName === 'DETAILS' && !at.open && !at.querySelector(':scope > summary').contains(node);
      if (at.hidden || isFolded) return false;
    }
    return true;
  };
  const clipped = (node) => {
    let { left, right, top, bottom } = node.getBoundingClientRect();
    for (let at = node.parentElement; at; at = at.parentElement) {
      if (getComputedStyle(at).overflow === 'visible') continue;
      const box = at.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return { left, right, top, bottom };
  };
  const kinds = 'button, select, input:not([type=file]), h1, h2, h3, summary, dt, dd, th, td, #status, #options, ' +
    '#fault, .note, legend, figcaption, .label, .warnings li';
  const named = (node) =>
    `${node.tagName} ${node.id} '${(node.textContent || node.value || '').trim().slice(0, 30)}'`;
  const boxes = Array.from(document.querySelectorAll(kinds)).filter((node) => isShown(node) &&
    (node.textContent.trim() || node.value) && !node.closest('dialog:not([open])')).map((node) => [node, clipped(node)])
    .filter(([, { left, right, top, bottom }]) => right - left > 2 && bottom - top > 2);
  const faults = [];
  boxes.forEach(([one, a], at) => {
    for (const [other, b] of boxes.slice(at + 1)) {
      const isWithin = one.contains(other) || other.contains(one);
      // The head of a table stays above its rows.
      if (isWithin || one.matches('th') !== other.matches('th')) continue;
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 1 && high > 1) faults.push(`${named(one)} and ${named(other)} overlap`);
    }
  });
  for (const [node] of boxes) {
    const isCut = node.scrollWidth > node.clientWidth + 1;
    if (node.matches('td, th, dd, button, summary, #status') && isCut) faults.push(`${named(node)} is cut`);
  }
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) faults.push(`the page is wider than the window: ${page.scrollWidth}`);
  return faults;";

/// The sum of all layout shifts so far that no input has caused.
const SHIFTS: &str = "
  return performance.getEntriesByType('layout-shift').concat(window.shifts ?? [])
    .filter(({ hadRecentInput }) => !hadRecentInput).reduce((sum, { value }) => sum + value, 0)";

const WATCH: &str = "
  window.shifts = [];
  const observer = new PerformanceObserver((list) => window.shifts.push(...list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true })";

/// Checks the page as it is.
async fn check(page: &Page, what: &str) {
    let faults: Vec<String> = serde_json::from_value(page.js(FAULTS).await).unwrap();
    assert!(faults.is_empty(), "{what}: {faults:#?}");
    let shift = page.js(SHIFTS).await.as_f64().unwrap();
    assert!(shift < 0.05, "{what}: the layout has shifted by {shift}");
    let Ok(axe) = std::env::var("AXE") else { return };
    let axe = std::fs::read_to_string(axe).unwrap();
    page.js(&axe).await;
    let found = page
        .client
        .execute_async(
            "const [done] = arguments;
             const told = (nodes) => nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(' | ');
             axe.run({ resultTypes: ['violations'] }).then(({ violations }) => done(violations
               .filter(({ impact }) => impact === 'serious' || impact === 'critical')
               .map(({ id, nodes }) => `${id}: ${told(nodes)}`)))",
            Vec::new(),
        )
        .await
        .unwrap();
    assert_eq!(found, Value::Array(Vec::new()), "{what}");
}

/// Keeps a picture for people to look at.
async fn picture(page: &Page, name: &str) {
    if let Ok(folder) = std::env::var("PICTURES") {
        std::fs::write(format!("{folder}/{name}.png"), page.client.screenshot().await.unwrap()).unwrap();
    }
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn every_state_is_laid_out_at_two_widths() {
    with_page(&["connect4"], "", |page| async {
        for (width, height) in [(1280, 1000), (360, 800)] {
            page.resize(width, height).await;
            page.colours("light").await;
            for game in ["connect4", "go", "breakthrough", "photosynthesis", "green-circle", "whist"] {
                let limit = "&time=0.4&agent=mcts%3Athreads%3D2";
                page.open(&format!("#game={game}{limit}")).await;
                page.js(WATCH).await;
                check(&page, &format!("{game} at {width}")).await;
                page.click("#run").await;
                page.until("return document.querySelectorAll('.moves-table tbody tr').length > 0").await;
                check(&page, &format!("{game} at {width}, searching")).await;
                page.until_text("#main-search dd", "done").await;
                picture(&page, &format!("{game}-{width}")).await;
                if game == "connect4" {
                    for tab in ["tree", "steps", "compare", "moves"] {
                        page.click(&format!("#tab-{tab}")).await;
                        tokio::time::sleep(Duration::from_millis(300)).await;
                        check(&page, &format!("{tab} at {width}")).await;
                        picture(&page, &format!("{tab}-{width}")).await;
                    }
                    page.colours("dark").await;
                    check(&page, &format!("dark at {width}")).await;
                    picture(&page, &format!("dark-{width}")).await;
                    page.colours("light").await;
                }
            }
        }
        page
    });
}

#[test]
#[ignore = "needs Chromium: .ci/browser/run runs it"]
fn the_page_is_there_soon_after_the_start() {
    // A busy machine delays some starts.
    let is_soon = |_| {
        let began = Instant::now();
        let (_server, address) = server(&["connect4"]);
        let (socket, _) = tungstenite::connect(format!("{}api/socket", address.replace("http", "ws"))).unwrap();
        drop(socket);
        began.elapsed() < Duration::from_millis(300)
    };
    assert!((0..20).any(is_soon));
}
