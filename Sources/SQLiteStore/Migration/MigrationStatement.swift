import ObjectGraph
import StoreSQL

/// One statement of a migration, and its purpose.
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

/// A condition that the file must not fulfil, because the migration would lose data.
struct MigrationCheck: Sendable {
    /// Returns a row if the condition is fulfilled.
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
