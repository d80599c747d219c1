import ObjectGraph

/// One statement of a migration, and what it is for.
struct MigrationStatement: Sendable {
    let text: SQLText
    var purpose = Purpose.schema

    enum Purpose: Sendable, Hashable {
        case schema
        case rows(entity: String)
        case links(entity: String, relationship: String)
        case order
        case uniqueIndex(entity: String, properties: [String])
    }
}

/// Something that must not be found in the file, or there is no way to migrate it without losing what it holds.
struct MigrationCheck: Sendable {
    /// Gives a row when there is such a thing.
    let text: SQLText
    let error: any Error

    init(text: SQLText, error: StoreMigrationError) {
        self.text = text
        self.error = error
    }

    init(text: SQLText, unfilled property: UnfilledProperty) {
        self.text = text
        error = property.error
    }
}
