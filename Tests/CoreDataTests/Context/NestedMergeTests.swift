import Foundation
import Testing

@testable import CoreData

/// Hooks and observers that make a context merge changes while it merges others.
@Suite struct NestedMergeTests {
    private let stack: TestStack
    private let reader: NSManagedObjectContext

    init() throws {
        stack = try TestStack()
        reader = stack.newContext()
    }

    /// Saves a new object, and then its deletion.
    /// - Returns: The object in the reader, and the two notifications.
    private func savedAndDeleted() throws -> (object: NSManagedObject, saves: [Notification]) {
        let writer = stack.newContext()
        let animal = stack.insert("Animal", ["name": "short-lived"], in: writer)
        let saves = try [false, true].map { isDeletion in
            if isDeletion { writer.delete(animal) }
            return try saved(writer)
        }
        return (reader.object(with: animal.objectID), saves)
    }

    private func saved(_ writer: NSManagedObjectContext) throws -> Notification {
        let saves = Recorded(.NSManagedObjectContextDidSave, object: writer)
        try writer.save()
        return try #require(saves.notifications.last)
    }

    private func checkDeleted(_ object: NSManagedObject) throws {
        #expect(object.isDeleted)
        #expect(throws: Never.self) { try reader.graph.checkInvariants() }
        try reader.save()
        #expect(try stack.count("Animal", NSPredicate(format: "name == 'short-lived'")) == 0)
        #expect(!reader.registeredObjects.contains(object))
    }

    @Test("A deletion merged by an observer of unsaved changes follows the insertion that is being merged")
    func beforeMerge() throws {
        let (object, saves) = try savedAndDeleted()
        let merged = Recorded(.NSManagedObjectContextDidMergeChangesObjectIDs, object: reader)
        stack.insert("Category", ["name": "unsaved"], in: reader)
        let observer = Once(.NSManagedObjectContextObjectsDidChange, of: reader) {
            $0.mergeChanges(fromContextDidSave: saves[1])
        }
        reader.mergeChanges(fromContextDidSave: saves[0])
        #expect(observer.count > 0)
        #expect(
            merged.notifications.map { $0.userInfo?.keys.first as? String } == [
                NSInsertedObjectIDsKey, NSDeletedObjectIDsKey,
            ])
        try checkDeleted(object)
    }

    @Test("A deletion merged by a hook of an object that a cascade deletes follows the insertion that is being merged")
    func inDeletionHook() throws {
        let category = try reader.existingObject(with: stack.saveFamily(animals: 1).objectID)
        let animal = try #require((category.value(forKey: "animals") as? Set<Animal>)?.first)
        let (object, saves) = try savedAndDeleted()
        animal.onDeletion = { animal in
            animal.onDeletion = nil
            animal.managedObjectContext?.mergeChanges(fromContextDidSave: saves[1])
        }
        reader.delete(category)
        #expect(animal.onDeletion != nil)
        reader.mergeChanges(fromContextDidSave: saves[0])
        #expect(animal.onDeletion == nil)
        try checkDeleted(object)
        #expect(try stack.count("Animal") == 0)
    }

    @Test("A save that an observer of a merge makes is merged after it, and both are announced")
    func savedByObserver() throws {
        let writer = stack.newContext()
        let category = stack.insert("Category", ["name": "1"], in: writer)
        try writer.save()
        let twin = try reader.existingObject(with: category.objectID)
        #expect(twin.value(forKey: "name") as? String == "1")
        let merging = Merging(writer, into: reader)
        let observer = Once(.NSManagedObjectContextObjectsDidChange, of: reader) { _ in
            category.setValue("3", forKey: "name")
            try? writer.save()
        }
        let merged = Recorded(.NSManagedObjectContextDidMergeChangesObjectIDs, object: reader)
        category.setValue("2", forKey: "name")
        try writer.save()
        #expect(observer.count == 2 && merging.count == 2 && merged.notifications.count == 2)
        #expect(twin.value(forKey: "name") as? String == "3")
        #expect(throws: Never.self) { try reader.graph.checkInvariants() }
    }

    @Test("Objects that turn into faults in a merge may merge more")
    func inFaultHook() throws {
        let model = Zoo.model(tag: MergingTag.self)
        let stack = try TestStack(model: model)
        let writer = stack.newContext()
        let tag = stack.insert("Tag", ["label": "1"], in: writer)
        try writer.save()
        let reader = stack.newContext()
        let twin = try #require(try reader.existingObject(with: tag.objectID) as? MergingTag)
        #expect(twin.value(forKey: "label") as? String == "1")
        tag.setValue("2", forKey: "label")
        twin.pending = try saved(writer)
        reader.merge(.overflow)
        #expect(twin.pending == nil)
        #expect(twin.value(forKey: "label") as? String == "2")
    }

    @Test("Each of many merges that ask for another is made, in constant depth")
    func chain() throws {
        let category = try stack.saveFamily(animals: 0)
        _ = try reader.existingObject(with: category.objectID).value(forKey: "name")
        let changes = [NSUpdatedObjectIDsKey: [category.objectID]]
        let chain = Chain(of: reader, changes, length: 5_000)
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [reader])
        #expect(chain.count == 5_000)
    }
}

/// Runs a body at the first notification of a context.
private final class Once: @unchecked Sendable {
    // Used on the thread of the test only.
    private(set) var count = 0
    private var token: (any NSObjectProtocol)?

    init(
        _ name: Notification.Name, of context: NSManagedObjectContext,
        _ body: @escaping (NSManagedObjectContext) -> Void
    ) {
        let body = Unchecked(body)
        token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
            [weak self, weak context] _ in
            guard let self, let context else { return }
            count += 1
            if count == 1 { body.value(context) }
        }
    }

    deinit {
        if let token { NotificationCenter.default.removeObserver(token) }
    }
}

/// A block for the thread of the test only.
private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// Merges the changes of its context that wait, when it becomes a fault.
final class MergingTag: NSManagedObject {
    var pending: Notification?

    override func willTurnIntoFault() {
        guard let pending else { return }
        self.pending = nil
        managedObjectContext?.mergeChanges(fromContextDidSave: pending)
    }
}

/// Merges the saves of one context into another as they are announced.
private final class Merging: @unchecked Sendable {
    // Used on the thread of the test only.
    private(set) var count = 0
    private var token: (any NSObjectProtocol)?

    init(_ writer: NSManagedObjectContext, into reader: NSManagedObjectContext) {
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
        ) { [weak self, weak reader] save in
            self?.count += 1
            reader?.mergeChanges(fromContextDidSave: save)
        }
    }

    deinit {
        if let token { NotificationCenter.default.removeObserver(token) }
    }
}

/// Asks for another merge at the end of each.
private final class Chain: @unchecked Sendable {
    // Used on the thread of the test only.
    private(set) var count = 0
    private var token: (any NSObjectProtocol)?

    init(of context: NSManagedObjectContext, _ changes: [String: [NSManagedObjectID]], length: Int) {
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidMergeChangesObjectIDs, object: context, queue: nil
        ) { [weak self, weak context] _ in
            guard let self, let context else { return }
            count += 1
            if count < length { NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context]) }
        }
    }

    deinit {
        if let token { NotificationCenter.default.removeObserver(token) }
    }
}
