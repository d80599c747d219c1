import SQLiteStore

/// Why a request about a file fails, with the facts and a remedy.
package enum InspectionError: Error, Hashable {
    /// A database that is no store.
    case notAStore(String)
    /// A store without a stored model.
    case noModel(String, reason: String)
    /// None of the given model's versions is the one that the file was written with.
    case noFittingVersion(String, model: String, versions: [String])
    /// SQLite cannot read the file. The detail says how much is missing, if known.
    case damaged(String, detail: String)
    /// Another process has the file open.
    case inUse(String)
    /// The path of the file, or of its folder.
    case notWritable(String)
    case unknownEntity(String, known: [String])
    case unknownProperty(entity: String, property: String, known: [String])
    /// An existing property that is unsuitable for the purpose.
    case unsuitableProperty(entity: String, property: String, reason: String)
    case badAddress(String)
    case noRow(String)
    case foreignAddress(String, store: String)
    case alreadyThere(String)
    case badInput(String)
    /// The number of bytes that the backup needs.
    case noRoomForBackup(String, needed: Int64)
    /// The version hashes of the model in the file differ from those in its metadata.
    case modelOutdated(String)
    /// Triggers of other programs on tables to be written.
    case foreignTriggers([String])
}

extension InspectionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAStore(let path):
            "The file at \(path) is a SQLite database, but neither a SwiftData nor a Core Data store. `modelstore sql` can "
                + "read it."
        case .noModel(let path, let reason):
            "The file at \(path) is a store, but its own model cannot be used: \(reason) Give the app's model (.momd, "
                + ".mom, .xcdatamodeld or .xcdatamodel) with --model. Without it, rows can only be looked at."
        case .noFittingVersion(let path, let model, let versions):
            "The file at \(path) was written with another model than those in \(model) ("
                + "\(versions.count == 1 ? "its version is" : "its versions are") \(versions.joined(separator: ", "))). "
                + "Give the model of the version of the app that wrote it."
        case .damaged(let path, let detail):
            "The file at \(path) is damaged\(detail.isEmpty ? "" : " (\(detail))"); restore it from a copy."
        case .inUse(let path):
            "Another process has \(path) open. Close the app first, or give --in-use to write beside it."
        case .notWritable(let path): "\(path) may not be written; check its permissions. Nothing was changed."
        case .unknownEntity(let name, let known):
            "There is no entity '\(name)'.\(Suggestion.text(for: name, among: known))"
        case .unknownProperty(let entity, let property, let known):
            "'\(entity)' has no property '\(property)'.\(Suggestion.text(for: property, among: known))"
        case .unsuitableProperty(let entity, let property, let reason):
            "'\(entity).\(property)' cannot be used here: \(reason)"
        case .badAddress(let text):
            "'\(text)' names no object; give x-coredata://STORE/Entity/p1, or Entity/p1."
        case .noRow(let address): "There is no object \(address); it may have been deleted."
        case .foreignAddress(let address, let store):
            "\(address) is of another store; this one is \(store)."
        case .alreadyThere(let path): "There is something at \(path) already; choose another name, or remove it first."
        case .badInput(let reason): reason
        case .noRoomForBackup(let path, let needed):
            "A backup of \(path) needs \(Amounts.bytes(needed)) beside it, where there is no room; free some, or give "
                + "--no-backup. Nothing was changed."
        case .foreignTriggers(let names):
            "Another program put triggers into the file, which run when rows are written and may change anything: "
                + "\(names.prefix(5).joined(separator: ", "))\(names.count > 5 ? ", …" : ""). Look at them with `modelstore "
                + "sql` (in sqlite_master), then give --run-triggers to write all the same. Nothing was changed."
        case .modelOutdated(let path):
            "The model in \(path) is not the one that the file was last written with, so it will not be changed; open "
                + "it with its app once, or work on another copy."
        }
    }
}

/// Suggests the closest known name, and lists the known names.
package enum Suggestion {
    package static func text(for name: String, among known: [String]) -> String {
        let close = known.map { (name: $0, distance: distance($0.lowercased(), name.lowercased())) }
            .filter { $0.distance <= (name.count < 4 ? 1 : max(2, name.count / 3)) }.min { $0.distance < $1.distance }
        if let close { return " Did you mean '\(close.name)'?" }
        guard !known.isEmpty else { return "" }
        let list = known.sorted().prefix(12).joined(separator: ", ")
        return " There are: \(list)\(known.count > 12 ? ", …" : "")."
    }

    /// The edit distance: the number of letters to insert, delete or replace.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.prefix(64)), Array(right.prefix(64)))
        var previous = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                let change = previous[column] + (letter == other ? 0 : 1)
                current.append(min(change, previous[column + 1] + 1, current[column] + 1))
            }
            previous = current
        }
        return previous.last ?? 0
    }
}
