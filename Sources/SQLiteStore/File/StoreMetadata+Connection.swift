import AppleFormats
import Foundation
import StoreSQL

extension StoreMetadata {
    private typealias Names = SystemTables.Metadata

    /// - Throws: `StoreMetadataError`.
    package init(_ connection: Connection) throws {
        let exists = try connection.withStatement(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '\(Names.table)'"
        ) { try $0.step() }
        guard exists else { throw StoreMetadataError.missing }
        let sql = "SELECT \(Names.uuid), \(Names.propertyList) FROM \(Names.table) ORDER BY \(Names.version) LIMIT 1"
        let row = try connection.withStatement(sql) { statement in
            try statement.step() ? (statement.text(at: 0), statement.optionalBytes(at: 1)) : nil
        }
        guard let (uuid, content) = row else { throw StoreMetadataError.missing }
        self.init(uuid: uuid, propertyList: try Self.decoded(content))
    }

    /// The property list may be missing from the file.
    private static func decoded(_ content: Data?) throws -> [String: PropertyList] {
        guard let content else { return [:] }
        do {
            guard let entries = try PropertyList(binary: content).dictionaryValue else {
                throw StoreMetadataError.notADictionary
            }
            return entries
        } catch let error as PropertyListError {
            throw StoreMetadataError.damaged(error)
        }
    }

    /// Changes the property list, except for entries about the model.
    /// - Throws: `StoreMetadataError`, `SQLiteError`.
    static func change(_ connection: Connection, _ change: (inout [String: PropertyList]) -> Void) throws {
        var metadata = try StoreMetadata(connection)
        change(&metadata.propertyList)
        try metadata.write(connection)
    }

    /// Replaces the file's metadata, or adds them to a new file.
    package func write(_ connection: Connection) throws {
        let sql =
            "INSERT INTO \(Names.table) (\(Names.version), \(Names.uuid), \(Names.propertyList)) VALUES (1, ?1, ?2) "
            + "ON CONFLICT (\(Names.version)) DO UPDATE SET \(Names.uuid) = ?1, \(Names.propertyList) = ?2"
        try connection.withStatement(sql) { statement in
            try statement.bind(uuid, at: 1)
            try statement.bind(PropertyList.dictionary(propertyList).binary, at: 2)
            try statement.run()
        }
    }
}

/// An error while reading metadata.
package enum StoreMetadataError: Error, Hashable {
    case missing
    case notADictionary
    case damaged(PropertyListError)
}

extension StoreMetadataError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing: "The file has no metadata; it was not written by SwiftData or Core Data, or is damaged."
        case .notADictionary: "The file's metadata are not a dictionary; the file is damaged."
        case .damaged(let error): "The file's metadata cannot be read: \(error.description) Restore it from a copy."
        }
    }
}
