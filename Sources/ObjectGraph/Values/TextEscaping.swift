extension String {
    /// Replaces each occurrence of a scalar. `replacing` compares characters, and so skips a quote that a combining
    /// mark follows; escaping for another language must replace scalars.
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
