import Foundation
import ObjectGraph
import SQLiteStore

/// Migrates one file by a mapping model, object by object, before it is opened.
///
/// The objects are written to a new file beside a copy of the old one; the result replaces the old one in one transaction.
/// After any failure the file is unchanged.
struct MappedMigration {
    let url: URL
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel
    let mapping: NSMappingModel
    /// The options of the store that is being opened.
    let options: [AnyHashable: Any]?
    let progress: MigrationProgress

    /// - Throws: Errors of `NSMigrationManager`, and of copying files.
    func run() throws {
        let copy = try WorkingCopy(of: url)
        let made = copy.url.deletingLastPathComponent().appendingPathComponent("migrated.sqlite")
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        manager.observer = progress
        try manager.migrateStore(
            from: copy.url, sourceType: NSSQLiteStoreType, options: optionsWithoutMigration, with: mapping,
            toDestinationURL: made, destinationType: NSSQLiteStoreType, destinationOptions: optionsWithoutMigration)
        try keepNotes(of: copy.url, in: made)
        try StoreFiles.replace(copy.url, byCopyOf: made) {}
        try copy.replaceOriginal()
    }

    private var optionsWithoutMigration: [AnyHashable: Any]? {
        let own: Set<AnyHashable> = [
            NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
        ]
        return options?.filter { !own.contains($0.key) }
    }

    /// Copies the program's own entries of the metadata.
    private func keepNotes(of former: URL, in made: URL) throws {
        let notes = try StoreFiles.metadata(at: former).propertyList
        try StoreFiles.setMetadata(at: made) { $0.merge(notes) { new, _ in new } }
    }
}
