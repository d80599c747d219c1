import ObjectGraph

/// Two readings for delete plans. Every query goes to both, and throws `Difference` if their results differ.
struct ReadingPair: DeleteReading {
    let one: any DeleteReading
    let other: any DeleteReading

    var model: Model { one.model }

    func entity(of space: IDSpace) -> Entity? { one.entity(of: space) }

    private func both<Answer: Equatable>(
        _ question: String, _ ask: (any DeleteReading) throws -> Answer
    ) throws -> Answer {
        let (answer, otherAnswer) = (try ask(one), try ask(other))
        guard answer == otherAnswer else {
            throw Difference(text: "\(question)\n  SQLite: \(answer)\n  memory: \(otherAnswer)")
        }
        return answer
    }

    func existing(_ rows: RowSet) throws -> RowSet { try both("existing") { try $0.existing(rows) } }

    func destinations(of relationship: RelationshipPlace, from owners: SpaceKeys) throws -> Destinations {
        let rows = try both("destinations") { try $0.destinations(of: relationship, from: owners).rows }
        return Destinations(
            rows: rows, joinRowCount: try one.destinations(of: relationship, from: owners).joinRowCount)
    }

    func referencingRows(of relationship: RelationshipPlace, referringTo rows: SpaceKeys) throws -> RowSet {
        try both("holders") { try $0.referencingRows(of: relationship, referringTo: rows) }
    }
}
