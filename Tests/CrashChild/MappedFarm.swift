import CoreData
import Foundation

/// A store of Core Data that is migrated object by object, with the models and the mapping model that are beside the program.
struct MappedFarm {
    let folder: URL
    var url: URL { folder.appendingPathComponent("farm.sqlite") }

    init(folder: String) { self.folder = URL(fileURLWithPath: folder) }

    enum Version: String {
        case first = "Farm 1"
        case second = "Farm 2"
    }

    /// How a program migrates.
    enum Way: String {
        /// By opening the store with the migration option.
        case opening
        /// By a migration manager to a new file, which then replaces the old one: the widely copied recipe.
        case manager
    }

    static func model(_ version: Version) throws -> NSManagedObjectModel {
        let url = resources.appendingPathComponent("Farm.xcdatamodeld/\(version.rawValue).xcdatamodel")
        guard let model = NSManagedObjectModel(contentsOf: url) else { throw CrashProblem("no model at \(url.path)") }
        return model
    }

    private static var resources: URL { Bundle.main.resourceURL ?? Bundle.main.bundleURL }

    // MARK: Filling

    /// Three animals, two of them with one keeper, with photos large enough for files.
    func make(_ journal: String) throws {
        try withContext(.first, Self.options(journal)) { context in
            let keeper = NSEntityDescription.insertNewObject(forEntityName: "Keeper", into: context)
            keeper.setValue("Ida", forKey: "name")
            for (number, name) in ["Bo", "Max", "Rex"].enumerated() {
                let animal = NSEntityDescription.insertNewObject(forEntityName: "Animal", into: context)
                animal.setValue(name, forKey: "name")
                animal.setValue(Data(repeating: UInt8(number), count: 200_000 + number), forKey: "photo")
                if number > 0 { animal.setValue(keeper, forKey: "keeper") }
            }
            try context.save()
        }
    }

    private static func options(_ journal: String) -> [AnyHashable: Any] {
        [NSSQLitePragmasOption: ["journal_mode": journal]]
    }

    func withContext<Result>(
        _ version: Version, _ options: [AnyHashable: Any]? = nil,
        _ body: @Sendable (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Self.model(version))
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        defer { try? coordinator.remove(store) }
        return try context.performAndWait { try body(context) }
    }

    // MARK: Migrating

    func migrate(_ way: Way, _ journal: String) throws {
        switch way {
        case .opening:
            var options = Self.options(journal)
            options[NSMigratePersistentStoresAutomaticallyOption] = true
            try withContext(.second, options) { _ in }
        case .manager:
            guard try version() == .first else { return }
            try migrateByManager(Self.options(journal))
        }
    }

    private func migrateByManager(_ options: [AnyHashable: Any]) throws {
        let mapping = NSMappingModel(contentsOf: Self.resources.appendingPathComponent("Farm1to2.xcmappingmodel"))
        guard let mapping else { throw CrashProblem("no mapping model") }
        let made = folder.appendingPathComponent("new-\(UUID().uuidString).sqlite")
        let second = try Self.model(.second)
        let manager = NSMigrationManager(sourceModel: try Self.model(.first), destinationModel: second)
        try manager.migrateStore(
            from: url, sourceType: NSSQLiteStoreType, options: options, with: mapping, toDestinationURL: made,
            destinationType: NSSQLiteStoreType, destinationOptions: options)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: second)
        try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: made, ofType: NSSQLiteStoreType)
        try coordinator.destroyPersistentStore(at: made, ofType: NSSQLiteStoreType)
        try FileManager.default.removeItem(at: made)
    }

    func version() throws -> Version {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        for version in [Version.first, .second]
        where try Self.model(version).isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
            return version
        }
        throw CrashProblem("the file is of neither model")
    }
}
