/// Options of a fetch request in a model, by their names in the file.
package struct RequestOptions: Hashable, Sendable {
    package var numbers: [String: Int] = [:]
    package var flags: [String: Bool] = [:]

    package init() {}

    init(_ fields: inout ElementFields) throws(DocumentError) {
        for key in ["fetchLimit", "fetchBatchSize", "resultType"] { numbers[key] = try fields.count(key) }
        for key in Self.flagNames { flags[key] = try fields.optionalFlag(key) }
    }

    private static let flagNames = [
        "includesPendingChanges", "includesPropertyValues", "includesSubentities", "returnsDistinctResults",
        "returnsObjectsAsFaults",
    ]
}
