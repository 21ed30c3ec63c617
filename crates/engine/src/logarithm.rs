pub(crate) fn ln(x: f64) -> f64 {
    x.ln()
}
