//! The processor time that the container of this process may use.

use std::fs;

/// The quota in cores, such as 1.5; `None` where there is none.
pub(super) fn quota() -> Option<f64> {
    let read = |file: &str| fs::read_to_string(format!("/sys/fs/cgroup/{file}")).ok();
    read("cpu.max").and_then(|text| of_cpu_max(&text)).or_else(|| {
        let (quota, period) = (read("cpu/cpu.cfs_quota_us")?, read("cpu/cpu.cfs_period_us")?);
        of_quota_and_period(&quota, &period)
    })
}

/// Reads `cpu.max` of cgroup v2: microseconds in each period, or `max`, and the period.
fn of_cpu_max(text: &str) -> Option<f64> {
    let (quota, period) = text.trim().split_once(' ')?;
    of_quota_and_period(quota, period)
}

/// Reads the two files of cgroup v1; a quota of -1 is none.
fn of_quota_and_period(quota: &str, period: &str) -> Option<f64> {
    let [quota, period] = [quota, period].map(|text| text.trim().parse::<f64>().ok());
    Some(quota.filter(|quota| *quota > 0.0)? / period.filter(|period| *period > 0.0)?).filter(|cores| cores.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quota_of_version_2_is_one_line() {
        assert_eq!(of_cpu_max("150000 100000\n"), Some(1.5));
        assert_eq!(of_cpu_max("max 100000\n"), None);
        for text in ["", "max", "x y", "100000", "0 100000", "100000 0", "inf 1", "-5 10"] {
            assert_eq!(of_cpu_max(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_quota_of_version_1_is_two_files() {
        assert_eq!(of_quota_and_period("200000\n", "100000\n"), Some(2.0));
        assert_eq!(of_quota_and_period("-1\n", "100000\n"), None);
        assert_eq!(of_quota_and_period("50000\n", "\n"), None);
    }
}
