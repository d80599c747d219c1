import ObjectGraph

/// Requested changes of one row, as texts, with the row version they are based on.
package struct RowEdit: Sendable {
    package let object: String
    /// The row's version when the form was created.
    package let version: RowVersion
    /// By path of the leaf. Contains only values that differ from those in the form.
    package var values: [String: Text] = [:]
    /// By name of the to-one relationship: addresses, or search words.
    package var destinations: [String: Text] = [:]
    /// By name of the to-many relationship: addresses, or search words.
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
    /// A path, or a relationship; `nil` for a problem of the row as a whole.
    package let property: String?
    package let text: String
    /// Rows that an ambiguous text may refer to.
    package var candidates: [ObjectID] = []
}

/// An edited property that another process saved meanwhile.
package struct EditConflict: Sendable {
    package let property: String
    /// The value when the form was created.
    package let was: String?
    package let stored: String?
    package let wanted: String?
}
