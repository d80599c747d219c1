/// Formats numbers and estimates text widths for drawings.
enum SVGText {
    /// Formats a number with at most one decimal digit.
    static func number(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() ? String(Int(tenths)) : String(tenths)
    }

    /// The estimated width in pixels, slightly more than a sans-serif font needs.
    static func width(_ text: String, size: Double) -> Double {
        text.unicodeScalars.reduce(0.0) { $0 + (Self.isNarrow($1) ? 0.32 : $1.isASCII ? 0.57 : 1.0) } * size
    }

    private static func isNarrow(_ scalar: Unicode.Scalar) -> Bool {
        "ijlIt.,:;'|!f ()[]".unicodeScalars.contains(scalar)
    }

    /// Shortens a text to fit, and marks it as shortened.
    static func cut(_ text: String, size: Double, to limit: Double) -> String {
        guard width(text, size: size) > limit else { return text }
        var cut = String(text.prefix(80))
        while !cut.isEmpty, width(cut + "…", size: size) > limit { cut.removeLast() }
        return cut + "…"
    }
}
