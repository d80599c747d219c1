import ObjectGraph
import SQLiteStore
import StoreInspection

/// Why an archived deletion cannot be restored, with the rows concerned.
struct RestoreObstacles: Sendable {
    let entries: [Entry]
    let labels: NamedRows

    struct Entry: Sendable {
        let conflict: RestoreConflict

        /// The conflict and its remedy. No conflict can be skipped here: the whole deletion is restored, or nothing.
        var words: (what: String, advice: String) {
            let entity = conflict.entity
            let name = "\(entity).\(conflict.relationship ?? "?")"
            return switch conflict.reason {
            case .keyInUse: ("Another row has the place of this \(entity)", "Delete the row that has it.")
            case .notUnique(let properties):
                (
                    "Another \(entity) has the same \(properties.joined(separator: ", ")), which must be unique",
                    "Change it there."
                )
            case .destinationRowMissing(.optional):
                ("\(name) references a row that was deleted", "Restore that one first.")
            case .destinationRowMissing(.mandatory):
                ("\(name) references a row that was deleted, and must have a destination", "Restore that one first.")
            case .destinationInUse:
                ("\(name) references a row that another one references now", "Clear that link first.")
            case .joinedRowMissing: ("\(name) has links to rows that were deleted", "Restore those first.")
            case .survivorMissing: ("This \(entity) lost its \(name), and was deleted since", "Restore it first.")
            case .survivorRefersElsewhere: ("\(name) references another row now", "Clear that link first.")
            case .fileMissing:
                ("A file with a value of this \(entity) is missing", "Put it back beside the store, from a copy.")
            }
        }
    }

    /// Without labels if the rows cannot be read.
    init(_ conflicts: [RestoreConflict], _ store: SQLiteStore) {
        entries = conflicts.map(Entry.init)
        labels = (try? NamedRows(conflicts.flatMap(\.examples), store)) ?? NamedRows()
    }

    static func sentence(_ conflicts: [RestoreConflict]) -> String {
        let count = conflicts.map(\.count).saturatingSum()
        let rows = count == 1 ? "One row or link does" : "\(Amounts.count(count)) rows or links do"
        return "\(rows) not fit into the file as it is now. Either all of it is restored, or nothing."
    }

    var value: InspectedValue {
        .list(
            entries.map { entry in
                let (what, advice) = entry.words
                return .fields([
                    InspectedField("entity", .text(entry.conflict.entity)),
                    InspectedField("relationship", .optional(entry.conflict.relationship)),
                    InspectedField("count", .count(entry.conflict.count)),
                    InspectedField("examples", .texts(entry.conflict.examples.map(\.address))),
                    InspectedField("text", .text("\(what). \(advice)")),
                ])
            })
    }
}
