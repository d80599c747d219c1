import ObjectGraph

/// The numbers of rows a delete removed, by entity, parsed from its recorded summary: `1 Shelf, 12 Book by
/// Shelf.books`.
struct ArchiveSummary {
    struct Part {
        let entity: String
        let count: Int
        /// Whether the rows are roots, not deleted by cascade.
        let isAsked: Bool
    }

    let parts: [Part]

    /// - Returns: `nil` for another kind of text, such as that of a delete that only nullified links.
    init?(_ text: String) {
        var parts: [Part] = []
        for piece in text.split(separator: ", ") {
            let words = piece.split(separator: " ").map(String.init)
            guard words.count == 2 || (words.count == 4 && words[2] == "by"),
                let count = Int(words[0].filter { $0 != "," }), count >= 0
            else { return nil }
            parts.append(Part(entity: words[1], count: count, isAsked: words.count == 2))
        }
        guard !parts.isEmpty else { return nil }
        self.parts = parts
    }
}

extension ArchivedDeletionGroup {
    /// Deleted rows by entity, largest number first.
    package var summary: String {
        let first = steps.first?.summary ?? ""
        let (count, rows) = (Amounts.count(steps.count), Amounts.count(rowCount, "row"))
        guard let parts else { return steps.count > 1 ? "\(count) steps, the first: \(first)" : first }
        if steps.count > 1 { return "\(isWhole(parts) ? Self.text(Self.sums(parts)) : rows) in \(count) steps" }
        return isWhole(parts) ? first : "\(rows) of \(first)"
    }

    /// `3 Shelf rows and 1,204 others`. For a delete in one transaction, the named entities are those of the roots.
    package var subject: String {
        let rows = rowCount
        guard let parts, isWhole(parts) else { return Amounts.count(rows, "row") }
        let named = Self.sums(steps.count > 1 ? parts : parts.filter(\.isAsked)).prefix(3)
        let listedCount = named.map(\.count).saturatingSum()
        guard !named.isEmpty, listedCount < rows else {
            return listedCount == rows && !named.isEmpty ? Amounts.rows(Array(named)) : Amounts.count(rows, "row")
        }
        return Amounts.rows(Array(named), others: rows - listedCount)
    }

    /// Whether no row has been restored.
    private func isWhole(_ parts: [ArchiveSummary.Part]) -> Bool { parts.map(\.count).saturatingSum() == rowCount }

    /// `nil` if the summary of a step cannot be parsed.
    private var parts: [ArchiveSummary.Part]? {
        let summaries = steps.map { ArchiveSummary($0.summary) }
        guard summaries.allSatisfy({ $0 != nil }) else { return nil }
        return summaries.flatMap { $0?.parts ?? [] }
    }

    private static func sums(_ parts: [ArchiveSummary.Part]) -> [(entity: String, count: Int)] {
        let counts = Dictionary(grouping: parts, by: \.entity).mapValues { $0.map(\.count).saturatingSum() }
        return counts.map { (entity: $0.key, count: $0.value) }.sorted { ($1.count, $0.entity) < ($0.count, $1.entity) }
    }

    private static func text(_ sums: [(entity: String, count: Int)]) -> String {
        sums.map { "\(Amounts.count($0.count)) \($0.entity)" }.joined(separator: ", ")
    }
}
