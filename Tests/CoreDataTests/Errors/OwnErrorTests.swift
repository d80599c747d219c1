import CoreData
import Testing

/// Errors that a program's own code throws during a save: save() rethrows them unchanged.
@Suite struct OwnErrorTests {
    @Test("save() throws a validator's error unchanged")
    func alone() throws {
        let stack = try TestStack(model: Zoo.model(tag: RefusingTag.self))
        let tag = try #require(stack.insert("Tag", ["label": "a"]) as? RefusingTag)
        tag.refusal = Refusal.insert
        #expect(throws: Refusal.insert) { try stack.context.save() }
        tag.refusal = NSError(domain: "Program", code: 42)
        let error = #expect(throws: (any Error).self) { try stack.context.save() }
        #expect((error as NSError?)?.domain == "Program" && (error as NSError?)?.code == 42)
        tag.refusal = nil
        tag.setValue("refused", forKey: "label")
        #expect(throws: Refusal.value("label")) { try stack.context.save() }
        tag.setValue("a", forKey: "label")
        try stack.context.save()
        tag.refusal = Refusal.delete
        stack.context.delete(tag)
        #expect(throws: Refusal.delete) { try stack.context.save() }
        #expect(tag.isDeleted)
    }

    @Test("If there are several errors, those of validators are among the details")
    func several() throws {
        let stack = try TestStack(model: Zoo.model(tag: RefusingTag.self))
        let tag = try #require(stack.insert("Tag", ["label": "refused"]) as? RefusingTag)
        stack.insert("Animal")
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.errorCode == 1560)
        let details = try #require(error?.userInfo[NSDetailedErrorsKey] as? [any Error])
        #expect(details.count == 2)
        #expect(details.contains { $0 as? Refusal == .value("label") })
        #expect(details.contains { ($0 as? CocoaError)?.errorCode == 1570 })
        tag.setValue(nil, forKey: "label")
        #expect(code { try stack.context.save() } == 1570)
    }

    @Test("save() throws a merge policy's error unchanged")
    func policies() throws {
        let stack = try TestStack()
        let category = try stack.saveFamily("Mammals", animals: 0)
        let context = stack.newContext()
        context.mergePolicy = RefusingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        let twin = try context.existingObject(with: category.objectID)
        twin.setValue(1, forKey: "rank")
        category.setValue(2, forKey: "rank")
        try stack.context.save()
        #expect(throws: Refusal.policy) { try context.save() }
        #expect(twin.value(forKey: "rank") as? Int == 1)
        context.rollback()
        stack.insert("Category", ["name": "Mammals"], in: context)
        #expect(throws: Refusal.policy) { try context.save() }
        #expect(try stack.count("Category") == 1)
    }
}

private enum Refusal: Error, Hashable {
    case insert, delete, policy
    case value(String)
}

private final class RefusingPolicy: NSMergePolicy, @unchecked Sendable {
    override func resolve(mergeConflicts list: [Any]) throws { throw Refusal.policy }
}

/// Throws the error that a test sets.
final class RefusingTag: NSManagedObject {
    var refusal: (any Error)?

    override func validateForInsert() throws {
        if let refusal { throw refusal }
        try super.validateForInsert()
    }

    override func validateForDelete() throws {
        if let refusal { throw refusal }
        try super.validateForDelete()
    }

    override func validateValue(_ value: inout Any?, forKey key: String) throws {
        if value as? String == "refused" { throw Refusal.value(key) }
        try super.validateValue(&value, forKey: key)
    }
}
