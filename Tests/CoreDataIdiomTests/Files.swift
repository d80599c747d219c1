import CoreData
import Foundation
import Testing

@MainActor @Suite("Store files")
struct Files {
    // Source: widely copied recipe: a database shipped with the program
    @Test("Copies a prepared store into place")
    func seed() throws {
        let seed = try Kitchen(.file)
        try seed.fill()
        let target = seed.folder.appendingPathComponent("Copy.sqlite")
        try NSPersistentStoreCoordinator(managedObjectModel: .kitchen()).replacePersistentStore(
            at: target, destinationOptions: nil, withPersistentStoreFrom: seed.storeURL, sourceOptions: nil,
            ofType: NSSQLiteStoreType)
        let container = try seed.reopened(at: target)
        #expect(try container.viewContext.count(for: Recipe.fetchRequest()) == 4)
    }

    // Source: widely copied recipe: backing up a store
    @Test("Backs a store up into one file")
    func backup() throws {
        let kitchen = try Kitchen(.file)
        try kitchen.fill()
        let target = kitchen.folder.appendingPathComponent("Backup.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: .kitchen())
        let source = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: kitchen.storeURL,
            options: [NSReadOnlyPersistentStoreOption: true])
        let copy = try coordinator.migratePersistentStore(
            source, to: target, options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]],
            withType: NSSQLiteStoreType)
        #expect(copy.url == target)
        #expect(!FileManager.default.fileExists(atPath: target.path + "-wal"))
        #expect(FileManager.default.fileExists(atPath: kitchen.storeURL.path))
    }

    // Source: widely copied recipe: moving a store to an app group
    @Test("Moves an open store to another folder")
    func move() throws {
        let kitchen = try Kitchen(.file)
        let recipe = try kitchen.fill()[0]
        let target = kitchen.folder.appendingPathComponent("Moved.sqlite")
        let store = try #require(kitchen.coordinator.persistentStore(for: kitchen.storeURL))
        let moved = try kitchen.coordinator.migratePersistentStore(
            store, to: target, options: nil, withType: NSSQLiteStoreType)
        #expect(kitchen.coordinator.persistentStores == [moved])
        recipe.name = "Salad"
        try kitchen.context.save()
        #expect(try kitchen.names().first == "Salad")
    }

    // Source: Apple, NSPersistentStoreCoordinator, 'setMetadata(_:for:)'
    @Test("Keeps custom values in a store's metadata")
    func metadata() throws {
        let kitchen = try Kitchen(.file)
        let store = try #require(kitchen.coordinator.persistentStores.first)
        var metadata = kitchen.coordinator.metadata(for: store)
        metadata["lastSync"] = Date.day(1)
        kitchen.coordinator.setMetadata(metadata, for: store)
        try kitchen.fill()
        let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: kitchen.storeURL, options: nil)
        #expect(read["lastSync"] as? Date == .day(1))
        #expect(read[NSStoreUUIDKey] as? String == store.identifier)
        #expect(read[NSStoreTypeKey] as? String == NSSQLiteStoreType)
    }

    // Source: Apple, NSPersistentStoreDescription, 'isReadOnly'
    @Test("Opens a store for reading only")
    func readOnly() throws {
        let kitchen = try Kitchen(.file)
        try kitchen.fill()
        let container = NSPersistentContainer(name: "Reader", managedObjectModel: .kitchen())
        let description = NSPersistentStoreDescription(url: kitchen.storeURL)
        description.isReadOnly = true
        container.persistentStoreDescriptions = [description]
        try container.load()
        #expect(try container.viewContext.count(for: Recipe.fetchRequest()) == 4)
        _ = Cook(context: container.viewContext)
        #expect(throws: (any Error).self) { try container.viewContext.save() }
    }

    // Source: Apple, NSPersistentStoreDescription, 'setValue(_:forPragmaNamed:)'
    @Test("Sets SQLite's journal mode")
    func journalMode() throws {
        let kitchen = try Kitchen(.file) { $0.setValue("DELETE" as NSString, forPragmaNamed: "journal_mode") }
        try kitchen.fill()
        #expect(!FileManager.default.fileExists(atPath: kitchen.storeURL.path + "-wal"))
    }

    // Source: Apple, NSSQLitePragmasOption
    @Test("CD29 Refuses a SQLite setting that would harm the store")
    func harmfulSetting() {
        #expect(throws: (any Error).self) {
            try Kitchen(.file) { $0.setValue("1" as NSString, forPragmaNamed: "writable_schema") }
        }
    }

    // Source: widely copied recipe: signing out
    @Test("Destroys a store and starts with an empty one")
    func destroy() throws {
        let kitchen = try Kitchen(.file)
        try kitchen.fill()
        let coordinator = kitchen.coordinator
        kitchen.context.reset()
        for store in coordinator.persistentStores {
            try coordinator.remove(store)
            try coordinator.destroyPersistentStore(at: kitchen.storeURL, ofType: store.type, options: nil)
        }
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: kitchen.storeURL, options: nil)
        #expect(try kitchen.context.count(for: Recipe.fetchRequest()) == 0)
    }

    // Source: widely copied recipe: rows kept across launches
    @Test("Finds saved rows when the store is opened again")
    func reopen() throws {
        let kitchen = try Kitchen(.file)
        let uuid = try kitchen.fill()[0].uuid
        let context = try kitchen.reopened().viewContext
        let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
        request.predicate = NSPredicate(format: "name == %@", "Tomato salad")
        let recipe = try #require(try context.fetch(request).first)
        #expect(recipe.uuid == uuid && recipe.price == NSDecimalNumber(string: "4.25"))
        #expect(recipe.cook?.name == "Ann" && recipe.tags.count == 2)
    }

    // Source: Apple, NSAttributeDescription, 'allowsExternalBinaryDataStorage'
    @Test("Keeps large data in a file beside the store")
    func externalData() throws {
        let model = NSManagedObjectModel.kitchen()
        model.entitiesByName["Recipe"]?.attributesByName["photo"]?.allowsExternalBinaryDataStorage = true
        let kitchen = try Kitchen(.file, model: model)
        let photo = Data(repeating: 7, count: 1_000_000)
        let recipe = Recipe(context: kitchen.context)
        recipe.photo = photo
        try kitchen.context.save()
        kitchen.context.refresh(recipe, mergeChanges: false)
        #expect(recipe.photo == photo)
    }

    // Source: widely copied recipe: removing the file of a destroyed store
    @Test("Leaves an empty file in place of a destroyed store, which can be removed")
    func destroyedFile() throws {
        let kitchen = try Kitchen(.file)
        try kitchen.fill()
        try kitchen.coordinator.remove(try #require(kitchen.coordinator.persistentStores.first))
        try kitchen.coordinator.destroyPersistentStore(at: kitchen.storeURL, ofType: NSSQLiteStoreType, options: nil)
        try FileManager.default.removeItem(at: kitchen.storeURL)
    }

    // Source: Apple, NSPersistentContainer, errors of loading
    @Test("Reports a file that is not a store to the completion of loading, with SQLite's code")
    func corrupt() throws {
        let kitchen = try Kitchen(.file)
        let url = kitchen.folder.appendingPathComponent("text.sqlite")
        try Data(repeating: 65, count: 5000).write(to: url)
        let container = NSPersistentContainer(name: "Text", managedObjectModel: .kitchen())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: NSError?
        container.loadPersistentStores { _, error in failure = error as NSError? }
        #expect(failure?.domain == NSCocoaErrorDomain && failure?.code == CocoaError.fileReadCorruptFile.rawValue)
        #expect(failure?.userInfo[NSSQLiteErrorDomain] as? Int == 26)
    }
}
