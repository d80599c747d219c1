import ObjectGraph
import SQLiteStore
import StoreInspection

/// The roots of a delete as an address describes them: named objects, or all rows of an entity that match.
struct PlanParameters: Sendable {
    var objects: [String] = []
    var rows: RowsParameters?
    /// Relationships whose blocking rows are added to the plan, such as `Ingredient.lines`.
    var also: [String] = []

    /// - Throws: `Problem` for every parameter that is not understood, as the planned rows may be deleted.
    init(_ query: Fields) throws {
        try query.check(["entity"] + RowsParameters.choosingNames, repeated: ["object", "also"])
        also = query.all("also")
        objects = query.all("object")
        rows = try query["entity"].map { try RowsParameters($0, query) }
        if !objects.isEmpty, rows != nil {
            throw Problem(.badRequest, "Not understood", "A plan is of objects, or of the rows of an entity, not both.")
        }
        if rows == nil, let name = RowsParameters.choosingNames.first(where: { query[$0] != nil }) {
            throw Problem(.badRequest, "Not understood", "'\(name)' needs 'entity'.")
        }
    }

    /// The parameters for an address.
    var fields: [(String, String?)] {
        objects.map { ("object", $0) } + (rows.map { [("entity", $0.entity)] + $0.choosing } ?? [])
            + also.map { ("also", $0) }
    }

    /// - Returns: the request, and the named objects that are already deleted; `nil` if nothing is named.
    /// - Throws: `InspectionError`, `UnreadablePredicate`, `FormatTranslationError`.
    func request(_ store: SQLiteStore) throws -> (request: DeleteRequest, gone: [String])? {
        guard let (request, gone) = try plainRequest(store) else { return nil }
        return (also.isEmpty ? request : try Blockers(also).added(to: request, store), gone)
    }

    private func plainRequest(_ store: SQLiteStore) throws -> (request: DeleteRequest, gone: [String])? {
        guard !objects.isEmpty else {
            guard let rows else { return nil }
            let query = try store.reading { try rows.query(store, $0.markingUnreadable()) }
            return (DeleteRequest.careful(.matching(query)), [])
        }
        let ids = try objects.map { (name: $0, id: try ObjectAddress($0).id(in: store)) }
        let found = try store.reading { try NamedRows.rows(ids.map(\.id), $0.markingUnreadable()) }
        let gone = ids.filter { found[$0.id] == nil }.map(\.name)
        return (DeleteRequest.careful(.rows(RowSet(ids.compactMap { found[$0.id]?.id }))), gone)
    }
}
