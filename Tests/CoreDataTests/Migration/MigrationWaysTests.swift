import CoreData
import Foundation
import Testing

/// Every way in which a program migrates a file from one version of its model to the next, with every journal mode of the file.
@Suite("Ways to migrate")
struct MigrationWaysTests {
    enum Way: CaseIterable {
        case automatic, managerByStatements, managerByObjects, stagedLightweight, stagedCustom, progressive
    }

    static let journals = ["WAL", "DELETE", "TRUNCATE", "PERSIST"]

    /// A file of the first version with three animals, one of them without a keeper.
    private func file(_ journal: String) throws -> FarmFile {
        let file = try FarmFile()
        try file.fill(options: [NSSQLitePragmasOption: ["journal_mode": journal]])
        return file
    }

    /// - Returns: the file of the second version.
    private func migrate(_ file: FarmFile, _ way: Way, interrupted: Bool = false) throws -> URL {
        switch way {
        case .automatic:
            try interrupting(interrupted) { try file.withContext(Farm.second()) }
            return file.url
        case .managerByStatements, .managerByObjects:
            return try migrateByManager(file.url, Farm.second(), byStatements: way == .managerByStatements, interrupted)
        case .stagedLightweight:
            let stage = NSLightweightMigrationStage([Farm.first().versionChecksum, Farm.second().versionChecksum])
            try interrupting(interrupted) { try migrate(file, by: stage) }
            return file.url
        case .stagedCustom:
            let stage = NSCustomMigrationStage(migratingFrom: .init(Farm.first()), to: .init(Farm.second()))
            stage.didMigrateHandler = { _, _ in if interrupted { throw Interruption() } }
            try migrate(file, by: stage)
            return file.url
        case .progressive:
            try migrateProgressively(file.url, along: [Farm.first(), Farm.second()], interrupted)
            return file.url
        }
    }

    struct Interruption: Error {}

    private func interrupting(_ isOn: Bool, _ body: () throws -> Void) throws {
        guard isOn else { return try body() }
        let progress = Progress(totalUnitCount: 1)
        progress.cancel()
        progress.becomeCurrent(withPendingUnitCount: 1)
        defer { progress.resignCurrent() }
        try body()
    }

    private func migrate(_ file: FarmFile, by stage: NSMigrationStage) throws {
        var options = FarmFile.automatic
        options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager([stage])
        try file.withContext(Farm.second(), options)
    }

    private func migrateByManager(
        _ url: URL, _ destination: NSManagedObjectModel, byStatements: Bool, _ interrupted: Bool
    ) throws -> URL {
        let target = url.deletingLastPathComponent().appendingPathComponent("new.sqlite")
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: Farm.first(), destinationModel: destination)
        let manager = NSMigrationManager(sourceModel: Farm.first(), destinationModel: destination)
        manager.usesStoreSpecificMigrationManager = byStatements
        if interrupted { manager.cancelMigrationWithError(Interruption()) }
        try manager.migrateStore(
            from: url, sourceType: NSSQLiteStoreType, with: mapping, toDestinationURL: target,
            destinationType: NSSQLiteStoreType)
        return target
    }

    /// The widely copied recipe for several versions: checkpoint the log, migrate each step to a temporary file, and replace the
    /// original by the last one.
    private func migrateProgressively(_ url: URL, along models: [NSManagedObjectModel], _ interrupted: Bool) throws {
        try checkpoint(url, models[0])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: models[0])
        var current = url
        for (from, to) in zip(models, models.dropFirst()) {
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: current)
            #expect(from.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
            let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: from, destinationModel: to)
            let next = url.deletingLastPathComponent().appendingPathComponent("\(UUID()).sqlite")
            let manager = NSMigrationManager(sourceModel: from, destinationModel: to)
            if interrupted { manager.cancelMigrationWithError(Interruption()) }
            try manager.migrateStore(
                from: current, sourceType: NSSQLiteStoreType, with: mapping, toDestinationURL: next,
                destinationType: NSSQLiteStoreType)
            if current != url {
                try coordinator.destroyPersistentStore(at: current, ofType: NSSQLiteStoreType)
            }
            current = next
        }
        try coordinator.replacePersistentStore(
            at: url, withPersistentStoreFrom: current, ofType: NSSQLiteStoreType)
        try coordinator.destroyPersistentStore(at: current, ofType: NSSQLiteStoreType)
    }

    /// Opens the file in journal mode DELETE, which checkpoints its write-ahead log.
    private func checkpoint(_ url: URL, _ model: NSManagedObjectModel) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
        try coordinator.remove(store)
    }

    private func expectSecond(_ file: FarmFile, _ url: URL) throws {
        try file.withContext(Farm.second(), [:], at: url) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Beast")
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            let found = try context.fetch(request)
            #expect(found.map { $0.value(forKey: "title") as? String } == ["Rex", "Rex", "Rex"])
            #expect(found.map { $0.value(forKey: "age") as? Int } == [0, 1, 2])
            #expect(found.map { $0.value(forKey: "state") as? String } == ["well", "well", "well"])
            let keepers = found.map {
                ($0.value(forKey: "keeper") as? NSManagedObject)?.value(forKey: "name") as? String
            }
            #expect(keepers == ["Ida", "Ida", nil])
        }
    }

    private func expectFirst(_ file: FarmFile) throws {
        try file.withContext(Farm.first(), [:]) { context in
            let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Animal"))
            #expect(count == 3)
        }
    }

    @Test("Every way keeps values and relationships in every journal mode", arguments: Way.allCases, journals)
    func everyWay(_ way: Way, _ journal: String) throws {
        let file = try file(journal)
        let url = try migrate(file, way)
        try expectSecond(file, url)
        if url != file.url { try expectFirst(file) }
    }

    @Test(
        "A migration that is cancelled or fails leaves the file unchanged, and no other file beside it",
        arguments: Way.allCases, journals)
    func stopped(_ way: Way, _ journal: String) throws {
        let file = try file(journal)
        if way == .progressive { try checkpoint(file.url, Farm.first()) }
        let before = file.contents
        #expect(throws: (any Error).self) { try migrate(file, way, interrupted: true) }
        #expect(Set(file.contents.keys) == Set(before.keys))
        #expect(file.contents["farm.sqlite"] == before["farm.sqlite"])
        try expectFirst(file)
        let url = try migrate(file, way)
        try expectSecond(file, url)
    }

    @Test("A file is migrated through several versions, one after the other", arguments: journals)
    func severalVersions(_ journal: String) throws {
        let file = try file(journal)
        try migrateProgressively(file.url, along: [Farm.first(), Farm.second(), Farm.fourth()], false)
        try file.withContext(Farm.fourth(), [:]) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Beast")
            request.predicate = NSPredicate(format: "keeper.name == 'Ida' AND weight == 1.5")
            let count = try context.count(for: request)
            #expect(count == 2)
        }
        // Files of destroyed stores are empty.
        #expect(file.contents.allSatisfy { $0.key.hasPrefix("farm.sqlite") || $0.value.isEmpty })
    }

    @Test("Each store of a coordinator is migrated as it is added; one that cannot be migrated is unchanged")
    func severalStores() throws {
        let (one, other) = (try file("WAL"), try file("DELETE"))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Farm.second())
        for file in [one, other] {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: file.url, options: FarmFile.automatic)
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Beast"))
        #expect(count == 6)
        let third = try FarmFile()
        try third.fill()
        let before = third.contents
        let textual = NSPersistentStoreCoordinator(managedObjectModel: Farm.textual())
        #expect(
            code {
                try textual.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: third.url, options: FarmFile.automatic)
            } == 134140)
        #expect(third.contents == before && textual.persistentStores.isEmpty)
    }

    @Test(
        "A file that another coordinator has open is migrated; that coordinator can no longer write to it",
        arguments: journals)
    func fileInUse(_ journal: String) throws {
        let file = try file(journal)
        try file.withContext(Farm.first(), [:]) { other in
            let animals = try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Animal"))
            animals.first?.setValue("Max", forKey: "name")
            try file.withContext(Farm.second())
            #expect(throws: (any Error).self) { try other.save() }
        }
        try expectSecond(file, file.url)
    }
}

extension NSManagedObjectModelReference {
    fileprivate convenience init(_ model: NSManagedObjectModel) {
        self.init(model: model, versionChecksum: model.versionChecksum)
    }
}
