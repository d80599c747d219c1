extension BinaryInteger {
    /// The number with separators, as in `12,345`: the form of counts in displayed texts. Not used for values of the
    /// program.
    package var grouped: String {
        var digits = Array(String(magnitude))
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: place)
            place -= 3
        }
        return (self < 0 ? "-" : "") + String(digits)
    }
}
