import ObjectGraph
import PredicateFormat

/// Selects rows with texts: an entity, a predicate, sort keys, a window.
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
            query.predicate = try TypedPredicate.expression(predicate, on: entity, in: model)
        }
        if let sort { query.sort = try PropertyPath.sortKeys(sort, on: entity, in: model) }
        query.limit = limit
        query.offset = offset
        return query
    }
}

/// Parses typed predicates. For an unknown property, the error lists the known ones.
enum TypedPredicate {
    /// - Throws: `UnreadablePredicate`, `InspectionError.unknownProperty`, `FormatTranslationError`.
    static func expression(_ text: String, on entity: Entity, in model: Model) throws -> QueryExpression {
        do {
            return try format(text).expression(on: entity, in: model)
        } catch FormatTranslationError.unknownKeyPath(let name, let path) {
            let error = FormatTranslationError.unknownKeyPath(entity: name, keyPath: path)
            throw model.entity(named: name).flatMap { unknownProperty(of: $0, on: path, in: model) } ?? error
        }
    }

    private static func format(_ text: String) throws(UnreadablePredicate) -> PredicateFormat {
        do {
            return try PredicateFormat(parsing: text)
        } catch {
            throw UnreadablePredicate(text: text, error: error)
        }
    }

    /// - Returns: `nil` if every relationship on the path is known, and the rest is no property.
    private static func unknownProperty(of entity: Entity, on path: String, in model: Model) -> InspectionError? {
        var entity = entity
        for step in path.split(separator: ".").map(String.init) {
            guard let relationship = entity.relationship(named: step) else {
                guard entity.attribute(named: step) == nil, !step.hasPrefix("@") else { return nil }
                return .unknownProperty(entity: entity.name, property: step, known: entity.propertyNames)
            }
            entity = model.destination(of: relationship)
        }
        return nil
    }
}

/// A predicate with a syntax error.
package struct UnreadablePredicate: Error, Hashable, CustomStringConvertible {
    package let text: String
    package let error: FormatError

    /// Marks the position of the error if the predicate is a single line.
    package var description: String {
        let head = "The predicate cannot be read. \(error.description)"
        guard !text.contains(where: \.isNewline) else { return head }
        return "\(head)\n    \(text)\n    \(String(repeating: " ", count: error.position))^"
    }
}
