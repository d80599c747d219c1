import ObjectGraph

/// Something in a file that should not be so. It tells where and how much, never what a row holds.
package struct StoreFinding: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A to-one key whose row is gone.
        case danglingKey
        /// A key that leads to a row of an entity the relationship does not lead to.
        case wrongDestination
        /// The entity number beside a key is not the one of the row the key leads to.
        case wrongEntityNumber
        /// A key of a one-to-one relationship whose destination does not lead back.
        case halfSetInverse
        /// A row of a join table of which an end is gone.
        case strayJoinRow
        /// A relationship that must have a destination has none.
        case orphan
        /// An attribute that must have a value has none.
        case missingValue
        /// A cell of which no value of the attribute's type can be made.
        case unreadableValue
        /// A number beyond those of the attribute's type.
        case valueOutOfRange
        /// Rows that a uniqueness constraint does not let stand beside each other.
        case equalRows
        /// No index of the file keeps a uniqueness constraint.
        case missingUniqueIndex
        /// A derived attribute has another value than its expression gives.
        case staleValue
        /// A row whose entity number is no entity's of its table.
        case unknownEntity
        /// A row of an entity that can have none.
        case abstractEntity
        /// A key counter below the highest key: the next row would collide.
        case lowCounter
        /// A member of an ordered relationship without a place in the order.
        case missingOrderKey
        /// Members of an ordered relationship at the same place; all but the first are counted.
        case equalOrderKeys
        /// A value kept in a file that is not there.
        case missingFile
        /// A file of external data that no row refers to.
        case orphanFile
        case tooFewMembers
        case tooManyMembers
        /// SQLite itself finds the file damaged.
        case damagedFile
        /// Triggers that other programs made.
        case foreignTrigger
    }

    package enum Severity: Int, Sendable, Hashable, Comparable {
        /// May have come about rightly, as the model's delete rules allow it.
        case note
        /// Does no harm yet.
        case warning
        case error

        package static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
    }

    package let kind: Kind
    package let severity: Severity
    /// The entity that declares `property`, or whose rows are meant. `nil` for what concerns the whole file.
    package let entity: String?
    package let property: String?
    /// How many rows, join rows, files or complaints of SQLite there are.
    package let count: Int
    /// Some of the rows, the lowest keys first.
    package let examples: [ObjectID]
    /// SQLite's own words about a damaged file.
    package let messages: [String]

    /// The most examples and messages of one finding.
    package static let exampleLimit = 5

    init(
        _ kind: Kind, _ severity: Severity, entity: String?, property: String? = nil, count: Int,
        examples: [ObjectID] = [], messages: [String] = []
    ) {
        self.kind = kind
        self.severity = severity
        self.entity = entity
        self.property = property
        self.count = count
        self.examples = Array(examples.prefix(Self.exampleLimit))
        self.messages = Array(messages.prefix(Self.exampleLimit))
    }

    /// `Entity.property`, as far as there is one.
    package var place: String { [entity, property].compactMap { $0 }.joined(separator: ".") }
}

extension StoreFinding: CustomStringConvertible {
    package var description: String { "\(severity): \(text(naming: \.uriText))" }

    /// - Parameter name: what an example is called.
    package func text(naming name: (ObjectID) -> String) -> String {
        sentence + list(examples.map(name), separator: ", ") + list(messages, separator: "; ")
    }

    private func list(_ texts: [String], separator: String) -> String {
        if texts.isEmpty { return "" }
        return ": " + (texts + (count > texts.count ? ["…"] : [])).joined(separator: separator)
    }

    private var rows: String { count == 1 ? "1 row" : "\(count.grouped) rows" }

    private var sentence: String {
        switch kind {
        case .danglingKey: "'\(place)' of \(rows) leads to a row that is gone"
        case .wrongDestination: "'\(place)' of \(rows) leads to a row of another entity"
        case .wrongEntityNumber: "'\(place)' of \(rows) names another entity than its row has"
        case .halfSetInverse: "'\(place)' of \(rows) leads to a row that does not lead back"
        case .strayJoinRow: "'\(place)' has \(count.grouped) join row\(count == 1 ? "" : "s") of which an end is gone"
        case .orphan: "'\(place)' of \(rows) must lead somewhere and does not"
        case .missingValue: "'\(place)' of \(rows) must have a value and has none"
        case .unreadableValue: "'\(place)' of \(rows) cannot be read: it is not of the attribute's type"
        case .valueOutOfRange: "'\(place)' of \(rows) is beyond what the attribute's type can hold"
        case .equalRows: "'\(place)' of \(rows) must be unique and is not"
        case .missingUniqueIndex: "the index that keeps '\(place)' unique is missing"
        case .staleValue: "'\(place)' of \(rows) is not what it is derived from"
        case .unknownEntity: "\(rows) in the table of '\(place)' of no known entity"
        case .abstractEntity: "\(rows) of '\(place)', which is abstract"
        case .lowCounter: "the key counter of '\(place)' is \(count.grouped) below its highest key"
        case .missingOrderKey:
            "'\(place)' has \(count.grouped) member\(count == 1 ? "" : "s") without a place in its order"
        case .equalOrderKeys: "'\(place)' has \(count.grouped) member\(count == 1 ? "" : "s") at a place already taken"
        case .missingFile: "'\(place)' of \(rows) is in a file that is not there"
        case .orphanFile: "\(count.grouped) file\(count == 1 ? "" : "s") of external data that no row refers to"
        case .tooFewMembers: "'\(place)' of \(rows) has fewer members than it must"
        case .tooManyMembers: "'\(place)' of \(rows) has more members than it may"
        case .damagedFile: "SQLite finds the file damaged"
        case .foreignTrigger:
            "\(count.grouped) trigger\(count == 1 ? "" : "s") of other programs will run when rows are written"
        }
    }
}
