extension Sequence where Element: FixedWidthInteger {
    /// The sum, or the nearest number there is: counts that a file tells may come to more than any.
    package func saturatingSum() -> Element {
        reduce(0) { sum, next in
            let (result, overflows) = sum.addingReportingOverflow(next)
            return overflows ? (next > 0 ? .max : .min) : result
        }
    }
}
