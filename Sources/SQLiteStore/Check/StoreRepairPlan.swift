import ObjectGraph

/// The complete plan of a repair. It can be inspected first, and is then carried out unchanged.
package struct StoreRepairPlan: Sendable, Hashable {
    /// The steps in the order in which they are carried out.
    package let steps: [StoreRepairStep]
    /// Findings that the repair leaves unchanged.
    package let unrepairable: [UnrepairableFinding]

    package var isEmpty: Bool { steps.isEmpty }
}

/// One kind of change to one property, table or counter.
package struct StoreRepairStep: Sendable, Hashable {
    package enum Action: Sendable, Hashable {
        /// Clears key columns, and the entity numbers and order keys beside them.
        case clearKeys(of: [ObjectID])
        /// Sets the entity numbers beside keys to those of the keys' rows.
        case renameDestinations(of: [ObjectID])
        /// Sets missing one-to-one keys.
        case completeLinks([Link])
        /// Adds the owner of a member to the member's own members, in a relationship that is its own inverse.
        case addMembers([Link])
        case deleteJoinRows([JoinRow])
        case deleteRows([ObjectID])
        /// Recomputes a derived attribute by its expression.
        case recompute([ObjectID])
        case raiseCounter(number: Int, to: Int64)
        /// Assigns new places in the owner's order to members.
        case placeMembers([Place])
        /// Removes files, after the commit.
        case removeFiles([String])
    }

    package struct Link: Sendable, Hashable {
        package let row: ObjectID
        package let destination: ObjectID
    }

    package struct JoinRow: Sendable, Hashable {
        /// SQLite's `rowid`; a join row has no primary key.
        package let rowID: Int64
        /// The end whose row still exists.
        package let survivor: ObjectID?
        /// The survivor's to-many relationship.
        package let relationshipIndex: Int?
    }

    package struct Place: Sendable, Hashable {
        package let owner: ObjectID
        package let member: Int64
        package let key: Int64
    }

    /// The entity that declares `property`, or whose rows, counter or table are affected; `nil` for files.
    package let entity: String?
    /// For deleted rows, the names of their mandatory relationships without a destination.
    package let property: String?
    package let action: Action
}

/// A finding that cannot be repaired automatically.
package struct UnrepairableFinding: Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// The missing value cannot be derived from the file; it takes knowledge of the data.
        case valueUnknown
        /// The stored value is not valid for its attribute, and the intended one cannot be derived. Objects of the rows
        /// cannot be read, or have wrong values.
        case valueUnfit
        /// It must be decided which of the rows is right.
        case rowsEqual
        /// Equal rows must be resolved before an index can be made.
        case indexMissing
        /// The row may belong to an entity of another model version.
        case entityUnknown
        /// It must be decided which members to add or remove.
        case choiceNeeded
        case fileLost
        /// The files may belong to another store with the same folder.
        case folderShared
        /// Other rows refer to the row, or would be deleted with it.
        case rowInUse
        /// The delete rules leave such keys, so they are no reason to delete the rows.
        case rulesPermit
        /// An end is mandatory, and the intended destination is ambiguous.
        case endsMandatory
        /// The file must be rebuilt first.
        case fileDamaged
    }

    package let finding: StoreFinding
    package let reason: Reason
}

extension UnrepairableFinding: CustomStringConvertible {
    package var description: String { "\(finding); not repaired: \(reason)" }
}

extension UnrepairableFinding.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .valueUnknown: "the value is unknown; set one"
        case .valueUnfit:
            "the intended value is unknown; write a value of the attribute's type into these cells with SQLite, or delete "
                + "the rows"
        case .rowsEqual: "which of them is right must be decided; change the values of the others, or delete them"
        case .indexMissing:
            "nothing prevents equal rows; when none are left, make the index again with SQLite, as it is in a new file "
                + "of the model"
        case .entityUnknown: "the rows may be of another version of the model; open the file with that"
        case .choiceNeeded: "which objects belong there must be decided; add or remove some"
        case .fileLost: "copy the files from where the store came from, or set other values"
        case .folderShared:
            "another store has the same name up to its extension, and so the same folder of large values; give one of them "
                + "a name of its own, with a folder that fits"
        case .rowInUse: "other rows refer to them or depend on them; give them a destination, or delete them by rule"
        case .rulesPermit:
            "the delete rules leave such keys; give the rows a destination, or the relationship an inverse"
        case .endsMandatory: "the key is mandatory, and its intended destination is ambiguous; set the relationship"
        case .fileDamaged: "export what can be read into a new file, or restore a copy; then check again"
        }
    }
}

extension StoreRepairPlan: CustomStringConvertible {
    /// One line per step and per finding that remains.
    package var description: String {
        let lines = steps.map(\.description) + unrepairable.map(\.description)
        return lines.isEmpty ? "Nothing to repair." : lines.joined(separator: "\n")
    }
}

extension StoreRepairStep: CustomStringConvertible {
    package var description: String { text(naming: \.uriText) }

    /// - Parameter name: Returns the display name of a row.
    package func text(naming name: (ObjectID) -> String) -> String {
        switch action {
        case .clearKeys(let rows): "Clear '\(place)' of \(list(rows, name))"
        case .renameDestinations(let rows): "Correct the entity that '\(place)' names in \(list(rows, name))"
        case .completeLinks(let links), .addMembers(let links):
            "Add the missing inverse to '\(place)' of \(list(links.map(\.row), name))"
        case .deleteJoinRows(let rows):
            "Delete \(rows.count) join row\(rows.count == 1 ? "" : "s") of '\(place)' of which an end is gone"
        case .recompute(let rows): "Compute '\(place)' anew in \(list(rows, name))"
        case .deleteRows(let rows):
            "Delete "
                + list(
                    rows, name,
                    " whose '\(place)' must have a destination and has none, and which no other row references")
        case .raiseCounter(_, let key): "Raise the key counter of '\(place)' to \(key)"
        case .placeMembers(let places):
            "Give \(places.count) member\(places.count == 1 ? "" : "s") of '\(place)' a place"
        case .removeFiles(let names):
            "Remove \(names.count) file\(names.count == 1 ? "" : "s") of external data"
        }
    }

    private var place: String { [entity, property].compactMap { $0 }.joined(separator: ".") }

    /// - Parameter clause: A text that follows the list of rows.
    private func list(_ rows: [ObjectID], _ name: (ObjectID) -> String, _ clause: String = "") -> String {
        let some = rows.prefix(StoreFinding.exampleLimit).map(name).joined(separator: ", ")
        return "\(rows.count) row\(rows.count == 1 ? "" : "s")\(clause): \(some)"
            + (rows.count > StoreFinding.exampleLimit ? ", …" : "")
    }
}
