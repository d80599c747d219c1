extension Amounts {
    /// Describes rows by entity: `1 Shelf row`, `45 Book, 15 Atlas and 3 Shelf rows`, `3 Shelf rows and 60 others`.
    /// - Parameter others: the number of further rows, of any entity.
    package static func rows(_ counts: [(entity: String, count: Int)], others: Int = 0) -> String {
        let names = counts.map { "\(count($0.count)) \($0.entity)" }
        guard let last = names.last else { return count(others, "row") }
        let list = names.count > 1 ? names.dropLast().joined(separator: ", ") + " and " + last : last
        let isOne = counts.count == 1 && counts[0].count == 1
        let all = list + (isOne ? " row" : " rows")
        return others > 0 ? "\(all) and \(count(others, "other"))" : all
    }
}
