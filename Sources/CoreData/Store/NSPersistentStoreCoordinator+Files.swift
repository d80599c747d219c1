import AppleFormats
import Foundation
import ObjectGraph
import PredicateFormat
import SQLiteStore

/// Operations on store files: reading metadata, destroying and replacing, without loading objects.
extension NSPersistentStoreCoordinator {
    // MARK: Metadata

    /// Returns the metadata of a store's file without opening the store.
    /// - Parameters:
    ///   - storeType: the type of the store.
    ///   - url: the URL of the file.
    ///   - options: have no effect.
    /// - Throws: `CocoaError` 260 if there is no file, 259 for a file that is not a database, 134080 for one that is not a
    ///   store, 134000 for a type without files.
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

    /// Returns the metadata of a store's file without opening the store.
    /// - Parameters:
    ///   - type: the type of the store.
    ///   - url: the URL of the file.
    ///   - options: have no effect.
    /// - Throws: `CocoaError` 260 if there is no file, 259 for a file that is not a database, 134080 for one that is not a
    ///   store, 134000 for a type without files.
    public class func metadataForPersistentStore(
        type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: type.rawValue, at: url, options: options)
    }

    /// Adds values to the metadata of a store's file without opening the store. Entries of the library itself cannot be changed.
    /// - Parameters:
    ///   - metadata: texts, numbers, dates, data, Boolean values, and arrays and dictionaries of them.
    ///   - storeType: the type of the store.
    ///   - url: the URL of the file.
    ///   - options: have no effect.
    /// - Throws: `CocoaError` 260 if there is no file, 259 for a file that is not a database, 134080 for one that is not a
    ///   store, 134000 for a type without files, 134030 for other values. Nothing is written then.
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

    /// Adds values to the metadata of a store's file without opening the store. Entries of the library itself cannot be changed.
    /// - Parameters:
    ///   - metadata: texts, numbers, dates, data, Boolean values, and arrays and dictionaries of them.
    ///   - type: the type of the store.
    ///   - url: the URL of the file.
    ///   - options: have no effect.
    /// - Throws: `CocoaError` 260 if there is no file, 259 for a file that is not a database, 134080 for one that is not a
    ///   store, 134000 for a type without files, 134030 for other values. Nothing is written then.
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

    /// Deletes the contents of a store, files of large values included. An empty database remains at the URL, because programs
    /// remove that file afterwards. If this coordinator has the store open, the store is removed from it first.
    /// - Parameters:
    ///   - url: the URL of the store.
    ///   - storeType: the type of the store.
    ///   - options: `NSPersistentStoreForceDestroyOption` destroys the store even if another coordinator has it open.
    /// - Throws: `CocoaError` 134070 while another coordinator of this process, or a container of SwiftData, has it open,
    ///   unless `NSPersistentStoreForceDestroyOption` is set; 134180 while another connection writes to it; 134000 for another
    ///   type. The store is unchanged then, and open if it was.
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

    /// Deletes the contents of a store, files of large values included. An empty database remains at the URL, because programs
    /// remove that file afterwards. If this coordinator has the store open, the store is removed from it first.
    /// - Parameters:
    ///   - url: the URL of the store.
    ///   - type: the type of the store.
    ///   - options: `NSPersistentStoreForceDestroyOption` destroys the store even if another coordinator has it open.
    /// - Throws: `CocoaError` 134070 while another coordinator of this process, or a container of SwiftData, has it open,
    ///   unless `NSPersistentStoreForceDestroyOption` is set; 134180 while another connection writes to it; 134000 for another
    ///   type. The store is unchanged then, and open if it was.
    public func destroyPersistentStore(
        at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
    }

    /// Closes a store before its files are removed; throws while another connection writes to them.
    private func close(_ url: URL, _ options: [AnyHashable: Any]?) throws {
        if !StoreOptions.isOn(NSPersistentStoreForceDestroyOption, options) { try refuseOthers(url) }
        try StoreFiles.waitForWriters(url)
        if let own = persistentStore(for: url) { try remove(own) }
    }

    private func refuseOthers(_ url: URL) throws {
        guard !OpenStoreRegistry.isOpen(url, besides: self) else {
            throw CocoaError(
                .persistentStoreOperation,
                text: "Another coordinator or container has the store at \(url.path) open; close it there first.")
        }
    }

    /// Replaces the files of a store by a copy of another store's files. If this coordinator has the destination open, it is
    /// removed from the coordinator first.
    /// - Parameters:
    ///   - destinationURL: the URL of the store to replace, which need not exist.
    ///   - destinationOptions: `NSPersistentStoreForceDestroyOption` replaces the store even if another coordinator has it open.
    ///   - sourceURL: the URL of the store to copy.
    ///   - sourceOptions: have no effect.
    ///   - storeType: the type of both stores.
    /// - Throws: `CocoaError` 260, 259 or 134080 for a source that is not a store; 134070 for the same URL, and while another
    ///   coordinator of this process, or a container of SwiftData, has the destination open, unless
    ///   `NSPersistentStoreForceDestroyOption` is set; 134180 while another connection writes to the destination; 134000 for
    ///   another type; errors of copying. The destination is unchanged then.
    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
    ) throws {
        try Self.checkType(storeType)
        do {
            // Checked first, so that no store is lost for a source that is not one.
            _ = try StoreFiles.metadata(at: sourceURL)
        } catch {
            throw ErrorMapping.opening(error)
        }
        guard OpenStoreRegistry.name(of: sourceURL) != OpenStoreRegistry.name(of: destinationURL) else {
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

    /// Replaces the files of a store by a copy of another store's files. If this coordinator has the destination open, it is
    /// removed from the coordinator first.
    /// - Parameters:
    ///   - destinationURL: the URL of the store to replace, which need not exist.
    ///   - destinationOptions: `NSPersistentStoreForceDestroyOption` replaces the store even if another coordinator has it open.
    ///   - sourceURL: the URL of the store to copy.
    ///   - sourceOptions: have no effect.
    ///   - type: the type of both stores.
    /// - Throws: `CocoaError` 260, 259 or 134080 for a source that is not a store; 134070 for the same URL, and while another
    ///   coordinator of this process, or a container of SwiftData, has the destination open, unless
    ///   `NSPersistentStoreForceDestroyOption` is set; 134180 while another connection writes to the destination; 134000 for
    ///   another type; errors of copying. The destination is unchanged then.
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
    /// Keys that a program cannot set.
    static let ownKeys: Set<String> = [
        Key.storeType, Key.versionHashes, Key.versionHashesVersion, Key.digest, Key.checksum, Key.frameworkVersion,
        Key.maximumFrameworkVersion, Key.autoVacuum, Key.versionIdentifiers, NSStoreUUIDKey,
    ]

    /// Keys that a program may set, but whose values a property list cannot contain.
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
    /// Copies the entries that a program may set and a property list can contain.
    mutating func takeOwn(_ metadata: [String: Any]) {
        for (key, value) in metadata where !StoreMetadata.ownKeys.contains(key) {
            if let value = PropertyList(any: value) { self[key] = value }
        }
    }
}

extension PropertyList {
    /// The value in Foundation's types; `nil` if there is no such type.
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

    /// - Returns: `nil` for a value that a property list cannot contain.
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

    /// The nearest real, unless the decimal is a whole number: property lists have no decimals.
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
