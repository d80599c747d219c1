import ObjectGraph

/// Formats numbers for readers.
package enum Amounts {
    /// `12,345`.
    package static func count(_ number: Int) -> String { number.grouped }

    /// `1 row`, `12,345 rows`.
    package static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count(number)) \(number == 1 ? one : many ?? one + "s")"
    }

    /// `812 bytes`, `1.2 MB`; units are powers of 1000.
    package static func bytes(_ number: Int64) -> String {
        if number.magnitude < 1000 { return count(Int(number), "byte") }
        var value = Double(number)
        for unit in ["kB", "MB", "GB"] {
            value /= 1000
            if abs(value) < 999.5 { return "\(short(value)) \(unit)" }
        }
        return "\(short(value / 1000)) TB"
    }

    /// Formats with two or three significant digits.
    private static func short(_ value: Double) -> String {
        if abs(value) >= 99.5 { return String(Int(value.rounded())) }
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(abs(tenths % 10))"
    }
}
