import ObjectGraph

/// The wanted changes of one row, as texts, with the row version they were made from.
package struct RowEdit: Sendable {
    package let object: String
    /// Of the row when the form was made.
    package let version: RowVersion
    /// By path of the leaf; only those that differ from what the form was made with.
    package var values: [String: Text] = [:]
    /// By name of the to-one relationship: addresses, or words that are to be looked up.
    package var destinations: [String: Text] = [:]
    /// By name of the to-many relationship: addresses, or words that are to be looked up.
    package var added: [String: [String]] = [:]
    package var removed: [String: [String]] = [:]

    package struct Text: Sendable, Equatable {
        /// `nil` for nil.
        package let was: String?
        package let wanted: String?

        package init(was: String?, wanted: String?) {
            self.was = was
            self.wanted = wanted
        }
    }

    package init(_ object: String, version: RowVersion) {
        self.object = object
        self.version = version
    }

    package var isEmpty: Bool {
        values.isEmpty && destinations.isEmpty && added.values.allSatisfy(\.isEmpty)
            && removed.values.allSatisfy(\.isEmpty)
    }
}

/// Why an edit cannot be made, by property.
package struct EditProblem: Sendable {
    /// A path, or a relationship; `nil` for one of the row as a whole.
    package let property: String?
    package let text: String
    /// Rows that may have been meant.
    package var candidates: [ObjectID] = []
}

/// A property that was edited, and that others saved meanwhile.
package struct EditConflict: Sendable {
    package let property: String
    /// When the form was made.
    package let was: String?
    package let stored: String?
    package let wanted: String?
}
