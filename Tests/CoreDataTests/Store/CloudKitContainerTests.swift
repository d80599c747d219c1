import CoreData
import Foundation
import Testing

@Suite("Containers under the name of CloudKit's")
struct CloudKitContainerTests {
    private func container() throws -> NSPersistentCloudKitContainer {
        let container = NSPersistentCloudKitContainer(name: "Zoo", managedObjectModel: Zoo.model())
        let description = try #require(container.persistentStoreDescriptions.first)
        description.url = URL(fileURLWithPath: "/dev/null")
        description.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(containerIdentifier: "iCloud.zoo")
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    @Test("CD61 Stores stay on this machine; options are kept, and objects may be changed")
    func local() throws {
        let container = try container()
        let description = try #require(container.persistentStoreDescriptions.first)
        let copy = try #require(description.copy() as? NSPersistentStoreDescription)
        #expect(copy.cloudKitContainerOptions?.containerIdentifier == "iCloud.zoo")
        let context = container.viewContext
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        try context.save()
        #expect(container.canUpdateRecord(forManagedObjectWith: tag.objectID))
        #expect(container.canDeleteRecord(forManagedObjectWith: tag.objectID))
        let store = try #require(tag.objectID.persistentStore)
        #expect(container.canModifyManagedObjects(in: store))
    }

    @Test("CD61 Making a schema fails with a code that says it is not supported")
    func schema() throws {
        let container = try container()
        let error = #expect(throws: CocoaError.self) { try container.initializeCloudKitSchema(options: [.dryRun]) }
        #expect(error?.code == .featureUnsupported)
    }

    @Test("Identifiers are found by their text in UTF-8")
    func textIdentifiers() throws {
        let container = try container()
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: container.viewContext)
        try container.viewContext.save()
        let text = tag.objectID.uriRepresentation().absoluteString
        let stores = container.persistentStoreCoordinator
        let found = text.withCString { stores.managedObjectID(fromUTF8String: $0, length: text.utf8.count) }
        #expect(found == tag.objectID)
        #expect("no text".withCString { stores.managedObjectID(fromUTF8String: $0, length: 7) } == nil)
    }
}
