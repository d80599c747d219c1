import CoreData
import Foundation
import Testing

/// Saves that wait for a busy context.
@Suite struct WaitingMergeTests {
    @Test("DV112 Several saves with more than 10,000 objects that wait together refresh a context's unedited objects")
    func overflow() throws {
        let stack = try TestStack()
        try stack.saveFamily(animals: 2)
        let reader = stack.newContext()
        reader.automaticallyMergesChangesFromParent = true
        let animals = try reader.fetch(NSFetchRequest<Animal>(entityName: "Animal"))
        for animal in animals { _ = animal.name }
        let edited = try #require(animals.first)
        edited.name = "mine"
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: reader)
        let free = DispatchSemaphore(value: 0)
        reader.perform { free.wait() }
        for round in 0..<2 {
            for number in 0..<6_000 { stack.insert("Category", ["name": "\(round)-\(number)"]) }
            try stack.context.save()
        }
        free.signal()
        reader.performAndWait {}
        #expect(changes.objects(NSInsertedObjectsKey).isEmpty)
        #expect(changes.objects(NSRefreshedObjectsKey).contains(animals[1]))
        #expect(animals[1].isFault && !edited.isFault)
        #expect(edited.name == "mine")
        #expect(try reader.count(for: stack.request("Category")) == 12_001)
    }

    @Test("A single save that waits is merged object by object, whatever its size")
    func oneLargeSave() throws {
        let stack = try TestStack()
        let reader = stack.newContext()
        reader.automaticallyMergesChangesFromParent = true
        let changes = Recorded(.NSManagedObjectContextObjectsDidChange, object: reader)
        for number in 0..<10_001 { stack.insert("Category", ["name": "\(number)"]) }
        try stack.context.save()
        reader.performAndWait {}
        #expect(changes.objects(NSInsertedObjectsKey).count == 10_001)
    }
}
