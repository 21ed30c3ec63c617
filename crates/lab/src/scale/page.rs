//! A measurement of scaling as a page: everything in one file that loads nothing, in light or dark.

use std::fmt::Write;

use super::{Law, Plot, Report};
use crate::estimate::Estimate;
use crate::html::{self, escape, row};

/// The page of a report and its plots.
pub fn html(report: &Report, plots: &[Plot]) -> String {
    let title = format!("Scaling of {}", escape(&report.game));
    let mut page = html::head(&title);
    for line in report.method() {
        let _ = writeln!(page, "<p>{}</p>", escape(&line));
    }
    let _ = writeln!(page, "<p><code>{}</code></p>", escape(&report.command));
    for warning in &report.warnings {
        let _ = writeln!(page, "<p class=\"warning\">{}</p>", escape(warning));
    }
    for plot in plots {
        let _ = writeln!(page, "<figure>\n{}</figure>", plot.svg);
    }
    page.push_str(
        "<p>Bars are intervals of 95 % confidence. Hollow signs are of runs that do not count. Threads, throughput and \
         speed-up stand on logarithmic axes.</p>\n",
    );
    page.push_str(&lines(report));
    page.push_str("<h2>The universal scalability law</h2>\n");
    page.push_str(
        "<p>N cores do &lambda;N / (1 + &sigma;(N&minus;1) + &kappa;N(N&minus;1)) playouts a second: &sigma; is the share \
         of the work that cannot be divided, &kappa; what it costs each pair of cores to agree.</p>\n",
    );
    report.laws.iter().for_each(|law| page.push_str(&self::law(law)));
    page.push_str("</html>\n");
    page
}

/// All configurations as a table.
fn lines(report: &Report) -> String {
    let mut table = "<h2>All configurations</h2>\n<table>\n".to_string();
    table.push_str(&row(
        "th",
        &["mode", "threads", "playouts/s", "speed-up", "efficiency", "cores busy", "runs counted"],
    ));
    for line in &report.lines {
        let known = |estimate: Option<Estimate>, digits| estimate.map_or("-".to_string(), |known| known.text(digits));
        table.push_str(&row(
            "td",
            &[
                line.mode.name(),
                &line.threads.to_string(),
                &grouped(&line.playouts_per_second.text(0)),
                &known(line.speed_up, 2),
                &known(line.efficiency, 3),
                &line.cores_busy.map_or("-".to_string(), |busy| format!("{busy:.2}")),
                &format!("{} of {}", line.counted, line.runs),
            ],
        ));
    }
    table + "</table>\n"
}

/// What is known of a mode's law.
fn law(law: &Law) -> String {
    let mode = law.mode.name();
    let Some(fit) = &law.fit else {
        let why = law.why_none.as_deref().unwrap_or_default();
        return format!("<p>{mode}: no fit, because {}.</p>\n", escape(why));
    };
    let mut text = format!("<p>{mode}: {fit}</p>\n<table>\n");
    text.push_str(&row("th", &["cores, predicted", "playouts/s", "speed-up"]));
    for prediction in &fit.predictions {
        let speed = grouped(&format!("{:.0}", prediction.playouts_per_second));
        text.push_str(&row("td", &[&prediction.cores.to_string(), &speed, &format!("{:.2}", prediction.speed_up)]));
    }
    text + "</table>\n"
}

/// Text with the digits of its numbers, which have no decimals, in groups of three.
fn grouped(text: &str) -> String {
    let mut grouped = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        grouped.push(c);
        let follow = rest.as_str().chars().take_while(char::is_ascii_digit).count();
        if c.is_ascii_digit() && follow > 0 && follow % 3 == 0 {
            grouped.push(',');
        }
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::super::plots;
    use super::super::report::tests::synthetic;
    use super::*;

    #[test]
    fn the_page_loads_nothing_and_runs_nothing() {
        let report = synthetic(&[1, 2, 4, 8], 8, 3);
        let page = html(&report, &plots(&report).unwrap());
        assert_eq!(page.matches("<svg").count(), 3);
        let loads = page.replace("http://www.w3.org/2000/svg", "");
        for part in ["http", "<script", "src=", "href=", "url(", "@import"] {
            assert!(!loads.contains(part), "{part}");
        }
        assert!(!page.contains("NaN"));
    }

    #[test]
    fn the_page_has_warnings_and_reasons_in_its_own_words() {
        let report = synthetic(&[1, 2, 4], 2, 3);
        let page = html(&report, &[]);
        assert!(page.contains("class=\"warning\">more threads than the 2 cores") && page.contains("shared: no fit"));
        assert!(page.contains("boughs scale &lt;synthetic&gt;") && !page.contains("<synthetic>"));
    }

    #[test]
    fn digits_stand_in_groups_of_three() {
        assert_eq!(grouped("1234567 ± 890"), "1,234,567 ± 890");
        assert_eq!(grouped("123"), "123");
    }

    #[test]
    fn predictions_are_called_predictions() {
        let page = html(&synthetic(&[1, 2, 4, 8], 8, 3), &[]);
        assert!(page.contains("cores, predicted") && page.contains("<td>256</td>"));
    }
}
