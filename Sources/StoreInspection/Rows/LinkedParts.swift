import ObjectGraph

/// Hands rows over in parts that have few enough links to be in memory together, whatever number of links a row has: from
/// one part it is taken how many rows the next one may have.
struct LinkedParts {
    /// Links that a part should have at most.
    private static let wantedLinks = 8192
    /// By how much the next part may be longer than the last one.
    private static let growth = 4
    private var rowCount = 1

    /// - Parameter body: gives the number of links that the rows have; throws to stop.
    mutating func forEachPart<Row>(of rows: [Row], _ body: (ArraySlice<Row>) throws -> Int) rethrows {
        var rest = rows[...]
        while !rest.isEmpty {
            let part = rest.prefix(rowCount)
            rest = rest.dropFirst(part.count)
            let linkCount = try body(part)
            let fitting = Self.wantedLinks * part.count / max(1, linkCount)
            rowCount = max(1, min(fitting, part.count * Self.growth))
        }
    }
}

extension [ObjectID: [ObjectID]] {
    /// Of all owners together.
    var linkCount: Int { values.reduce(0) { $0 + $1.count } }
}
