import Foundation
import ObjectGraph

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
        package static let historyStart = "OSDHistoryStart"
    }

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
        propertyList[Key.versionHashesVersion] = .integer(VersionHash.currentVersion)
        propertyList[Key.digest] = .string(VersionHash.digest(of: hashes))
        propertyList[Key.checksum] = .string(VersionHash.checksum(of: hashes))
        propertyList[Key.versionIdentifiers] = .array(model.versionIdentifiers.map(PropertyList.string))
    }
}
