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

    /// - Throws: `InspectionError`, `FormatError`, `FormatTranslationError`.
    package func query(in model: Model) throws -> Query {
        let entity = try model.inspectedEntity(entity)
        var query = Query(entityIndex: entity.index)
        if let predicate {
            query.predicate = try PredicateFormat(parsing: predicate).expression(on: entity, in: model)
        }
        if let sort { query.sort = try PropertyPath.sortKeys(sort, on: entity, in: model) }
        query.limit = limit
        query.offset = offset
        return query
    }
}
