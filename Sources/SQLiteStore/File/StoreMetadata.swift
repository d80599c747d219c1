import AppleFormats
import Foundation
import ObjectGraph
import StoreSQL

/// A file's metadata: its UUID and a property list. Unknown keys are preserved.
package struct StoreMetadata: Sendable, Hashable {
    /// The UUID as upper-case text; the host part of every object identifier's URI.
    package var uuid: String
    package var propertyList: [String: PropertyList]

    package init(uuid: String, propertyList: [String: PropertyList]) {
        self.uuid = uuid
        self.propertyList = propertyList
    }

    /// Makes the metadata of a new file.
    package init(_ model: Model, uuid: UUID = UUID()) {
        self.init(
            uuid: uuid.uuidString,
            propertyList: [
                Key.storeType: .string("SQLite"),
                Key.frameworkVersion: .integer(Self.writtenFrameworkVersion),
                Key.autoVacuum: .string("2"),
            ])
        adopt(model)
    }

    /// Apple's property list keys that are read or written here.
    package enum Key {
        package static let storeType = "NSStoreType"
        package static let versionHashes = "NSStoreModelVersionHashes"
        package static let versionHashesVersion = "NSStoreModelVersionHashesVersion"
        package static let digest = "NSStoreModelVersionHashesDigest"
        package static let checksum = "NSStoreModelVersionChecksumKey"
        package static let versionIdentifiers = "NSStoreModelVersionIdentifiers"
        package static let frameworkVersion = "NSPersistenceFrameworkVersion"
        package static let maximumFrameworkVersion = "NSPersistenceMaximumFrameworkVersion"
        package static let autoVacuum = "_NSAutoVacuumLevel"
        /// Our own key, present while the history's rows alone do not determine the start: see `HistoryStart`.
        static let historyStart = "OSDHistoryStart"
    }

    /// The only version of the hash algorithm in use.
    package static let currentHashesVersion: Int64 = 3

    /// The framework build recorded in new files: the newest one whose layout is fully known here (iOS 18).
    package static let writtenFrameworkVersion: Int64 = 1414

    // MARK: Content

    /// The hashes of the entities that the file was last written with. Excludes hashes of a wrong length.
    package var versionHashes: [String: VersionHash] {
        let entries = propertyList[Key.versionHashes]?.dictionaryValue ?? [:]
        return entries.compactMapValues { $0.dataValue.flatMap { VersionHash(bytes: $0) } }
    }

    package var versionHashesVersion: Int64? { propertyList[Key.versionHashesVersion]?.integerValue }
    package var digest: String? { propertyList[Key.digest]?.stringValue }
    package var checksum: String? { propertyList[Key.checksum]?.stringValue }
    package var frameworkVersion: Int64? { propertyList[Key.frameworkVersion]?.integerValue }

    package var versionIdentifiers: [String] {
        (propertyList[Key.versionIdentifiers]?.arrayValue ?? []).compactMap(\.stringValue)
    }

    /// Sets the entries that depend on the model: hashes and everything computed from them, and identifiers.
    package mutating func adopt(_ model: Model) {
        let hashes = model.versionHashes
        propertyList[Key.versionHashes] = .dictionary(hashes.mapValues { .data(Data($0.bytes)) })
        propertyList[Key.versionHashesVersion] = .integer(Self.currentHashesVersion)
        propertyList[Key.digest] = .string(VersionHash.digest(of: hashes))
        propertyList[Key.checksum] = .string(VersionHash.checksum(of: hashes))
        propertyList[Key.versionIdentifiers] = .array(model.versionIdentifiers.map(PropertyList.string))
    }
}

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
