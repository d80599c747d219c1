extension Sequence where Element: FixedWidthInteger {
    /// The sum, or the nearest representable number: counts read from a file may overflow.
    package func saturatingSum() -> Element {
        reduce(0) { sum, next in
            let (result, overflows) = sum.addingReportingOverflow(next)
            return overflows ? (next > 0 ? .max : .min) : result
        }
    }
}
