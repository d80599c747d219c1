extension BinaryInteger {
    /// `12,345`: how numbers of things are written in every text for people. Values of a program's own are not.
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
