/// A fault found in a file. States the place and the number of rows, never the content of a row.
package struct StoreFinding: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A to-one key whose row is missing.
        case danglingKey
        /// A key that refers to a row of an entity other than the relationship's destination and its subentities.
        case wrongDestination
        /// The entity number beside a key differs from that of the row the key refers to.
        case wrongEntityNumber
        /// A key of a one-to-one relationship whose destination does not refer back.
        case halfSetInverse
        /// A row of a join table with a missing end.
        case strayJoinRow
        /// A mandatory relationship without a destination.
        case orphan
        /// A mandatory attribute without a value.
        case missingValue
        /// A cell that cannot be converted to the attribute's type.
        case unreadableValue
        /// A number outside of the range of the attribute's type.
        case valueOutOfRange
        /// Rows that violate a uniqueness constraint.
        case equalRows
        /// A uniqueness constraint without an index in the file.
        case missingUniqueIndex
        /// A derived attribute whose value differs from its expression.
        case staleValue
        /// A row whose entity number belongs to no entity of its table.
        case unknownEntity
        /// A row of an abstract entity.
        case abstractEntity
        /// A primary key counter below the highest key: the next insertion would fail.
        case lowCounter
        /// A member of an ordered relationship without an order key.
        case missingOrderKey
        /// Members of an ordered relationship with equal order keys; all but the first are counted.
        case equalOrderKeys
        /// A reference to a missing file.
        case missingFile
        /// A file of external data that no row refers to.
        case orphanFile
        case tooFewMembers
        case tooManyMembers
        /// Damage that SQLite's integrity check finds.
        case damagedFile
        /// Triggers made by other programs.
        case foreignTrigger
    }

    package enum Severity: Int, Sendable, Hashable, Comparable {
        /// May be valid, because the model's delete rules allow this state.
        case note
        /// Causes no harm yet.
        case warning
        case error

        package static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
    }

    package let kind: Kind
    package let severity: Severity
    /// The entity that declares `property`, or whose rows are affected. `nil` if the finding concerns the whole file.
    package let entity: String?
    package let property: String?
    /// The number of affected rows, join rows, files or complaints of SQLite.
    package let count: Int
    /// Some of the affected rows, lowest keys first.
    package let examples: [ObjectID]
    /// SQLite's messages about a damaged file.
    package let messages: [String]

    /// The maximum number of examples and of messages in one finding.
    package static let exampleLimit = 5

    package init(
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

    /// `Entity.property`, or the part of it that is known.
    package var place: String { [entity, property].compactMap { $0 }.joined(separator: ".") }
}

extension StoreFinding: CustomStringConvertible {
    package var description: String { "\(severity): \(text(naming: \.uriText))" }

    /// - Parameter name: Returns the display name of an example.
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
        case .danglingKey: "'\(place)' of \(rows) references a row that is gone"
        case .wrongDestination: "'\(place)' of \(rows) references a row of another entity"
        case .wrongEntityNumber: "'\(place)' of \(rows) has an entity number that differs from its row's"
        case .halfSetInverse: "'\(place)' of \(rows) references a row that does not reference it"
        case .strayJoinRow: "'\(place)' has \(count.grouped) join row\(count == 1 ? "" : "s") of which an end is gone"
        case .orphan: "'\(place)' of \(rows) must have a destination and has none"
        case .missingValue: "'\(place)' of \(rows) must have a value and has none"
        case .unreadableValue: "'\(place)' of \(rows) cannot be read: it is not of the attribute's type"
        case .valueOutOfRange: "'\(place)' of \(rows) is out of range for the attribute's type"
        case .equalRows: "'\(place)' of \(rows) must be unique and is not"
        case .missingUniqueIndex: "the index that keeps '\(place)' unique is missing"
        case .staleValue: "'\(place)' of \(rows) differs from the value that its expression gives"
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
