extension String {
    /// At most so many characters. As one character may have any number of marks on it, they are counted as well: four for
    /// each.
    package func cut(to most: Int) -> String {
        guard utf8.count > most else { return self }
        let characters = prefix(most)
        let scalars = characters.unicodeScalars.prefix(4 * most)
        guard scalars.endIndex < endIndex else { return self }
        return String(scalars).prefix(max(1, most) - 1) + "…"
    }
}
