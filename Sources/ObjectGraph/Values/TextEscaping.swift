extension String {
    /// With each occurrence of a scalar replaced. `replacing` compares characters, and so passes over a quote that a
    /// combining mark follows: what is escaped for another language must be escaped scalar by scalar.
    /// - Complexity: O(n).
    package func replacingScalar(_ scalar: Unicode.Scalar, with text: String) -> String {
        guard unicodeScalars.contains(scalar) else { return self }
        var result = String.UnicodeScalarView()
        for found in unicodeScalars {
            if found == scalar { result.append(contentsOf: text.unicodeScalars) } else { result.append(found) }
        }
        return String(result)
    }
}
