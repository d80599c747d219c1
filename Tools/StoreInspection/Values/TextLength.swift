extension String {
    /// Cuts the text to at most this many characters, and at most four times as many Unicode scalars, as one character
    /// may contain any number of combining marks.
    package func cut(to most: Int) -> String {
        guard utf8.count > most else { return self }
        let characters = prefix(most)
        let scalars = characters.unicodeScalars.prefix(4 * most)
        guard scalars.endIndex < endIndex else { return self }
        return String(scalars).prefix(max(1, most) - 1) + "…"
    }
}
