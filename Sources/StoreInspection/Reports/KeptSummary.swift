import ObjectGraph

/// How many rows of which entities a delete took, read from what the file notes of it: `1 Shelf, 12 Book by Shelf.books`.
struct KeptSummary {
    struct Part {
        let entity: String
        let count: Int
        /// Not taken along by a rule.
        let isAsked: Bool
    }

    let parts: [Part]

    /// - Returns: `nil` for another kind of text, as for a delete that cut links only.
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

extension KeptGroup {
    /// What went, by entity: those of which most went first.
    package var summary: String {
        let first = steps.first?.summary ?? ""
        let (count, rows) = (Amounts.count(steps.count), Amounts.count(rowCount, "row"))
        guard let parts else { return steps.count > 1 ? "\(count) steps, the first: \(first)" : first }
        if steps.count > 1 { return "\(isWhole(parts) ? Self.text(Self.sums(parts)) : rows) in \(count) steps" }
        return isWhole(parts) ? first : "\(rows) of \(first)"
    }

    /// `3 Shelf rows and 1,204 others`: of a delete that was done at once, what was asked for.
    package var subject: String {
        let rows = rowCount
        guard let parts, isWhole(parts) else { return Amounts.count(rows, "row") }
        let named = Self.sums(steps.count > 1 ? parts : parts.filter(\.isAsked)).prefix(3)
        let told = named.map(\.count).saturatingSum()
        guard !named.isEmpty, told < rows else {
            return told == rows && !named.isEmpty ? Amounts.rows(Array(named)) : Amounts.count(rows, "row")
        }
        return Amounts.rows(Array(named), others: rows - told)
    }

    /// Whether none of the rows has come back.
    private func isWhole(_ parts: [KeptSummary.Part]) -> Bool { parts.map(\.count).saturatingSum() == rowCount }

    /// `nil` where one of the steps cannot be read.
    private var parts: [KeptSummary.Part]? {
        let summaries = steps.map { KeptSummary($0.summary) }
        guard summaries.allSatisfy({ $0 != nil }) else { return nil }
        return summaries.flatMap { $0?.parts ?? [] }
    }

    private static func sums(_ parts: [KeptSummary.Part]) -> [(entity: String, count: Int)] {
        let counts = Dictionary(grouping: parts, by: \.entity).mapValues { $0.map(\.count).saturatingSum() }
        return counts.map { (entity: $0.key, count: $0.value) }.sorted { ($1.count, $0.entity) < ($0.count, $1.entity) }
    }

    private static func text(_ sums: [(entity: String, count: Int)]) -> String {
        sums.map { "\(Amounts.count($0.count)) \($0.entity)" }.joined(separator: ", ")
    }
}
