import CoreData
import Foundation
import Testing

@Suite("NSPersistentCloudKitContainer")
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

    @Test("CD61 Stores stay on this machine; options are kept, and objects can be changed")
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

    @Test("CD61 Initializing the CloudKit schema throws featureUnsupported")
    func schema() throws {
        let container = try container()
        let error = #expect(throws: CocoaError.self) { try container.initializeCloudKitSchema(options: [.dryRun]) }
        #expect(error?.code == .featureUnsupported)
    }
}
