import AppleFormats
import Foundation
import ObjectGraph
import PredicateFormat
import SQLiteStore

/// Stores as files: looked at, removed, replaced and moved without their objects being touched.
extension NSPersistentStoreCoordinator {
    // MARK: Metadata

    /// What a file says of itself.
    /// - Throws: `CocoaError` 260 where there is no file, 259 for one that is no database, 134080 for one that is no store.
    public class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        if let storeClass = StoreClasses.type(for: storeType) {
            return try ErrorMapping.whileOpening { try storeClass.metadataForPersistentStore(with: url) }
        }
        try checkType(storeType)
        do {
            return try StoreFiles.metadata(at: url).dictionary(type: storeType)
        } catch {
            throw ErrorMapping.opening(error)
        }
    }

    public class func metadataForPersistentStore(
        type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: type.rawValue, at: url, options: options)
    }

    /// Adds texts, numbers, dates, data and truth values to what a file says of itself. What the library itself keeps there
    /// stays as it is.
    /// - Throws: As `metadataForPersistentStore(ofType:at:options:)`; `CocoaError` 134030 for other values. Nothing is written
    ///   then.
    public class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        if let storeClass = StoreClasses.type(for: storeType) {
            return try ErrorMapping.whileOpening { try storeClass.setMetadata(metadata, forPersistentStoreAt: url) }
        }
        try checkType(storeType)
        let unwritable = StoreMetadata.unwritableKeys(in: metadata ?? [:])
        guard unwritable.isEmpty else {
            throw CocoaError(
                .persistentStoreSave,
                text: "Metadata are a property list, which has no place for what is under "
                    + "'\(unwritable.joined(separator: "', '"))'; give texts, numbers, dates, data, or collections of them."
            )
        }
        do {
            try StoreFiles.setMetadata(at: url) { $0.takeOwn(metadata ?? [:]) }
        } catch {
            throw ErrorMapping.opening(error)
        }
    }

    public class func setMetadata(
        _ metadata: [String: Any]?, type: NSPersistentStore.StoreType, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(metadata, forPersistentStoreOfType: type.rawValue, at: url, options: options)
    }

    private class func checkType(_ type: String) throws {
        guard type == NSSQLiteStoreType else {
            throw CocoaError(
                .persistentStoreInvalidType, text: "Stores of type '\(type)' have no file here; use NSSQLiteStoreType.")
        }
    }

    // MARK: Removing and replacing

    /// Deletes a store's content, with its large values. An empty database remains in its place, as programs expect that
    /// remove the file afterwards. A store that this coordinator has open is closed first.
    /// - Throws: `CocoaError` 134070 while another coordinator of this process, or a container of SwiftData, has it open,
    ///   unless `NSPersistentStoreForceDestroyOption` is set; 134180 while another connection writes to it. The store is still there
    ///   then, and open if it was.
    public func destroyPersistentStore(
        at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws {
        try Self.checkType(storeType)
        if MemoryPlace(url) != nil { return }
        do {
            try close(url, options)
            try StoreFiles.empty(at: url)
        } catch {
            throw ErrorMapping.saving(error, nil)
        }
    }

    public func destroyPersistentStore(
        at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
    }

    /// Before its files are removed; not while another connection writes to them.
    private func close(_ url: URL, _ options: [AnyHashable: Any]?) throws {
        if !StoreOptions.isOn(NSPersistentStoreForceDestroyOption, options) { try refuseOthers(url) }
        try StoreFiles.waitForWriters(url)
        if let own = persistentStore(for: url) { try remove(own) }
    }

    private func refuseOthers(_ url: URL) throws {
        guard !OpenFiles.isOpen(url, besides: self) else {
            throw CocoaError(
                .persistentStoreOperation,
                text: "Another coordinator or container has the store at \(url.path) open; close it there first.")
        }
    }

    /// Puts a copy of one store's files in the place of another's. A store of this coordinator at the destination is closed.
    /// - Throws: As `destroyPersistentStore(at:ofType:options:)`, and what copying throws; 134070 for one and the same place.
    ///   The destination is as it was then.
    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
    ) throws {
        try Self.checkType(storeType)
        do {
            // Looked at first, so that nothing is lost for a source that is none.
            _ = try StoreFiles.metadata(at: sourceURL)
        } catch {
            throw ErrorMapping.opening(error)
        }
        guard OpenFiles.name(of: sourceURL) != OpenFiles.name(of: destinationURL) else {
            throw CocoaError(
                .persistentStoreOperation, text: "A store cannot take its own place; \(sourceURL.path) stays as it is.")
        }
        DefaultFolder.prepare(for: destinationURL)
        do {
            try StoreFiles.replace(destinationURL, byCopyOf: sourceURL) {
                try close(destinationURL, destinationOptions)
            }
        } catch {
            throw ErrorMapping.saving(error, nil)
        }
    }

    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        type: NSPersistentStore.StoreType
    ) throws {
        try replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, ofType: type.rawValue)
    }
}

extension StoreMetadata {
    /// What a program cannot set.
    static let ownKeys: Set<String> = [
        Key.storeType, Key.versionHashes, Key.versionHashesVersion, Key.digest, Key.checksum, Key.frameworkVersion,
        Key.maximumFrameworkVersion, Key.autoVacuum, Key.versionIdentifiers, NSStoreUUIDKey,
    ]

    /// Of what a program may set, but no property list can hold.
    static func unwritableKeys(in metadata: [String: Any]) -> [String] {
        metadata.filter { !ownKeys.contains($0.key) && PropertyList(any: $0.value) == nil }.keys.sorted()
    }

    func dictionary(type: String) -> [String: Any] {
        var dictionary = propertyList.compactMapValues(\.any)
        dictionary[NSStoreTypeKey] = type
        dictionary[NSStoreUUIDKey] = uuid
        return dictionary
    }
}

extension [String: PropertyList] {
    /// Takes over what a program may set and a property list can hold.
    mutating func takeOwn(_ metadata: [String: Any]) {
        for (key, value) in metadata where !StoreMetadata.ownKeys.contains(key) {
            if let value = PropertyList(any: value) { self[key] = value }
        }
    }
}

extension PropertyList {
    /// As Foundation has it; `nil` for what it has not.
    var any: Any? {
        switch self {
        case .null, .uid: nil
        case .boolean(let flag): flag
        case .integer(let number): NSNumber(value: number)
        case .unsigned(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .data(let data): data
        case .string(let text): text
        case .array(let elements), .set(let elements): elements.compactMap(\.any)
        case .dictionary(let entries): entries.compactMapValues(\.any)
        }
    }

    /// - Returns: `nil` for what no property list holds.
    init?(any: Any) {
        switch FormatConstant(any) {
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .decimal(let number): self = .number(number)
        case .text(let text): self = .string(text)
        case .date(let seconds): self = .date(seconds)
        case .bytes(let data): self = .data(data)
        default: self.init(collection: any)
        }
    }

    /// Property lists have no decimals: the real that comes nearest, unless it is a whole number.
    private static func number(_ decimal: Decimal) -> PropertyList {
        let text = decimal.description
        return Int64(text).map(PropertyList.integer) ?? UInt64(text).map(PropertyList.unsigned)
            ?? .real(decimal.storedDouble)
    }

    private init?(collection any: Any) {
        switch any {
        case let array as [Any]:
            let elements = array.compactMap { PropertyList(any: $0) }
            guard elements.count == array.count else { return nil }
            self = .array(elements)
        case let dictionary as [String: Any]:
            let entries = dictionary.compactMapValues { PropertyList(any: $0) }
            guard entries.count == dictionary.count else { return nil }
            self = .dictionary(entries)
        default: return nil
        }
    }
}
