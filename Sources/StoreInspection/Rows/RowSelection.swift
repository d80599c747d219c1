import ObjectGraph

/// Which rows are meant, as texts: an entity, a predicate, an order, a window.
package struct RowSelection: Sendable {
    package var entity: String
    /// In the predicate format language; `nil` for all rows.
    package var predicate: String?
    /// `name,-age`.
    package var sort: String?
    package var limit: Int?
    package var offset = 0

    package init(_ entity: String, predicate: String? = nil) {
        self.entity = entity
        self.predicate = predicate
    }

    /// - Throws: `InspectionError`, `UnreadablePredicate`, `FormatTranslationError`.
    package func query(in model: Model) throws -> Query {
        let entity = try model.inspectedEntity(entity)
        var query = Query(entityIndex: entity.index)
        if let predicate {
            query.predicate = try UnreadablePredicate.parse(predicate).expression(on: entity, in: model)
        }
        if let sort { query.sort = try PropertyPath.sortKeys(sort, on: entity, in: model) }
        query.limit = limit
        query.offset = offset
        return query
    }
}

/// A predicate with a mistake in it.
package struct UnreadablePredicate: Error, Hashable, CustomStringConvertible {
    package let text: String
    package let error: FormatError

    static func parse(_ text: String) throws(UnreadablePredicate) -> PredicateFormat {
        do {
            return try PredicateFormat(parsing: text)
        } catch {
            throw UnreadablePredicate(text: text, error: error)
        }
    }

    /// With the place of the mistake marked, where the predicate is a line.
    package var description: String {
        let head = "The predicate cannot be read. \(error.description)"
        guard !text.contains(where: \.isNewline) else { return head }
        return "\(head)\n    \(text)\n    \(String(repeating: " ", count: error.position))^"
    }
}
