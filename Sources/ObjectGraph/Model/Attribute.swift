/// An immutable attribute of an entity. A composite one has `elements`; any other has an attribute type, and is its own
/// single leaf.
package struct Attribute: Sendable, Hashable {
    package var name: String
    package var type: AttributeType
    package var isOptional = false
    /// Tracked and observed, never stored (SwiftData `.ephemeral`, Core Data "transient").
    package var isTransient = false
    /// Whether large values may be stored in external files.
    package var allowsExternalStorage = false
    /// Whether the history keeps the value when its object is deleted.
    package var preservesValueOnDeletion = false
    /// The value of new rows, and of existing rows when the attribute is added.
    package var defaultValue: [Value]?
    package var versionHashModifier: String?
    /// The name in the previous version of the model, for migration.
    package var renamingIdentifier: String?
    package var transformerName: String?
    /// The leaves of a composite, in declared order; may be nested.
    package var elements: [Attribute] = []
    /// The expression text of a derived attribute; such an attribute is never set.
    package var derivation: String?
    package var derivationFilter: String?
    /// Whether the composite represents an enum (`userInfo` `EnumType` in Apple's model).
    package var isEnum = false

    package init(_ name: String, _ type: AttributeType, optional: Bool = false) {
        self.name = name
        self.type = type
        self.isOptional = optional
    }

    package var isDerived: Bool { derivation != nil }

    /// The attributes of the columns: the attribute itself, or a composite's leaves in declared order.
    package var leaves: [Attribute] {
        type == .composite ? elements.flatMap(\.leaves) : [self]
    }

    /// Returns the positions of the leaves at a path of names from this attribute; all leaves for an empty path, `nil`
    /// for a path that does not exist.
    package func leafPositions<Path: Collection<String>>(at path: Path) -> Range<Int>? {
        guard let name = path.first else { return leaves.indices }
        var start = 0
        for element in elements {
            let count = element.leaves.count
            if element.name == name {
                guard let within = element.leafPositions(at: Array(path.dropFirst())) else { return nil }
                return start + within.lowerBound..<start + within.upperBound
            }
            start += count
        }
        return nil
    }
}

/// The attribute types, with their numbers in Apple's models.
package enum AttributeType: Int32, Sendable, Hashable, CaseIterable {
    case integer16 = 100
    case integer32 = 200
    case integer64 = 300
    case decimal = 400
    case double = 500
    case float = 600
    case string = 700
    case boolean = 800
    case date = 900
    case binary = 1000
    case uuid = 1100
    case uri = 1200
    case transformable = 1800
    case composite = 2100
}
