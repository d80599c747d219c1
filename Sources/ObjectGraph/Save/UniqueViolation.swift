/// A save that uniqueness constraints forbid. Nothing was written.
package struct UniqueViolation: Error, Hashable, CustomStringConvertible {
    package let entity: String
    /// Properties of the constraint; of all the entity's constraints where the one cannot be told.
    package let properties: [String]
    /// All the objects that break this one constraint; the one of several equal new objects that may stay is not among
    /// them. Of a batch at most one.
    package let ids: [ObjectID]

    package init(entity: String, properties: [String], ids: [ObjectID]) {
        self.entity = entity
        self.properties = properties
        self.ids = ids
    }

    package var description: String {
        let names = properties.joined(separator: ", ")
        let objects = ids.isEmpty ? "" : " as " + ids.prefix(5).map(\.uriText).joined(separator: ", ")
        return "Another '\(entity)' already has the same \(names)\(objects); change one of them and save again."
    }
}
