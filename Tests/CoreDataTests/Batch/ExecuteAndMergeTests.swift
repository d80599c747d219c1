import CoreData
import Testing

// As in a public tutorial, except for the access level: it must compile, and take precedence over the built-in method.
extension NSManagedObjectContext {
    fileprivate func executeAndMergeChanges(using batchDeleteRequest: NSBatchDeleteRequest) throws {
        batchDeleteRequest.resultType = .resultTypeObjectIDs
        let result = try execute(batchDeleteRequest) as? NSBatchDeleteResult
        let changes: [AnyHashable: Any] = [NSDeletedObjectsKey: result?.result as? [NSManagedObjectID] ?? []]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [self])
    }
}

@Suite struct TutorialExtensionTests {
    @Test("The extension that tutorials define compiles and merges")
    func tutorialExtension() throws {
        let stack = try TestStack()
        let tag = stack.insert("Tag", ["label": "x"])
        try stack.context.save()
        let fetchRequest: NSFetchRequest<NSFetchRequestResult> = NSFetchRequest(entityName: "Tag")
        let request = NSBatchDeleteRequest(fetchRequest: fetchRequest)
        try stack.context.executeAndMergeChanges(using: request)
        #expect(tag.isDeleted)
        #expect(request.resultType == .resultTypeObjectIDs)
    }

    @Test("NSBatchDeleteRequest has the conformances and the initializer of the documentation")
    func conformances() throws {
        let stack = try TestStack()
        let request: NSBatchDeleteRequest = NSBatchDeleteRequest(fetchRequest: stack.request("Tag"))
        func conforms<
            T: NSCopying & NSObjectProtocol & Equatable & Hashable & CVarArg & CustomStringConvertible
                & CustomDebugStringConvertible
        >(_ value: T) -> Bool { value == value }
        #expect(conforms(request))
        let copy = try #require(request.copy() as? NSBatchDeleteRequest)
        #expect(copy !== request)
        #expect(copy.fetchRequest.entityName == "Tag")
    }
}
