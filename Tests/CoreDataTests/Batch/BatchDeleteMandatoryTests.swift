import Logging
import ObjectGraph
import Testing

@testable import CoreData

/// Mandatory inverses, by shape, and the text of the refusal.
@Suite("Batch deletes that would leave a mandatory relationship empty")
struct BatchDeleteMandatoryTests {
    private func delete(_ stack: TestStack, _ entity: String, _ predicate: NSPredicate? = nil) throws -> Int? {
        let request = NSBatchDeleteRequest(fetchRequest: stack.request(entity, predicate))
        request.resultType = .resultTypeCount
        return try (stack.context.execute(request) as? NSBatchDeleteResult)?.result as? Int
    }

    @Test("A mandatory inverse of a one-to-many relationship refuses the delete, and the error names the shape")
    func mandatoryOneToMany() throws {
        let model = Zoo.model()
        model.entitiesByName["Animal"]?.relationshipsByName["keeper"]?.isOptional = false
        let stack = try TestStack(model: model)
        let person = stack.insert("Person")
        stack.insert("Animal", ["name": "a", "keeper": person])
        try stack.context.save()
        let request = NSBatchDeleteRequest(fetchRequest: stack.request("Person"))
        let error = #expect(throws: CocoaError.self) { try stack.context.execute(request) }
        #expect(error?.errorCode == 134050)
        #expect(error?.localizedDescription.contains("mandatory OTM nullify inverse on Person/animals") == true)
        #expect(try stack.count("Person") == 1)
    }

    @Test("A mandatory many-to-many inverse refuses a delete that would leave it empty")
    func mandatoryManyToMany() throws {
        let model = Zoo.model()
        model.entitiesByName["Animal"]?.relationshipsByName["tags"]?.isOptional = false
        let stack = try TestStack(model: model)
        let tags = ["a", "b", "c"].map { stack.insert("Tag", ["label": $0]) }
        stack.insert("Animal", ["name": "both", "tags": Set(tags.prefix(2))])
        stack.insert("Animal", ["name": "one", "tags": Set([tags[1]])])
        try stack.context.save()
        let error = #expect(throws: CocoaError.self) { _ = try delete(stack, "Tag") }
        #expect(error?.errorCode == 134050)
        #expect(
            error?.userInfo[NSLocalizedFailureReasonErrorKey] as? String
                == "Constraint violation: Batch delete failed due to mandatory MTM nullify inverse on Tag/animals")
        #expect((error?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObjectID])?.count == 2)
        #expect(try stack.count("Tag") == 3)
        // Both animals keep the second tag; no animal has the third.
        #expect(try delete(stack, "Tag", NSPredicate(format: "label != 'b'")) == 2)
        #expect(try stack.count("Animal", NSPredicate(format: "tags.@count == 1")) == 2)
        #expect(code { _ = try delete(stack, "Tag", NSPredicate(format: "label == 'b'")) } == 134050)
        // Deleted after the animals whose relationship is mandatory, the tag can be deleted.
        #expect(try delete(stack, "Animal") == 2)
        #expect(try delete(stack, "Tag") == 1)
    }

    @Test(
        "If several rules refuse, code and text at the top are the known ones, and the error lists all rules")
    func severalRules() throws {
        let model = Zoo.model()
        let tag = try #require(model.entitiesByName["Tag"])
        let owned = Zoo.entity("Owned", NSManagedObject.self)
        let guarded = Zoo.entity("Guarded", NSManagedObject.self)
        Zoo.link(tag, "guarded", .toMany, .denyDeleteRule, guarded, "tag", .toOne, .nullifyDeleteRule)
        Zoo.link(
            tag, "owned", .toMany, .nullifyDeleteRule, owned, "tag", .toOne, .nullifyDeleteRule, backOptional: false)
        model.entities += [owned, guarded]
        let stack = try TestStack(model: model)
        let both = stack.insert("Tag", ["label": "both"])
        stack.insert("Guarded", ["tag": both])
        stack.insert("Owned", ["tag": both])
        try stack.context.save()
        let error = try #require(#expect(throws: CocoaError.self) { _ = try delete(stack, "Tag") })
        let reason = "Constraint violation: Batch delete failed due to mandatory OTM nullify inverse on Tag/owned"
        #expect(error.errorCode == 134050)
        #expect(error.userInfo[NSLocalizedFailureReasonErrorKey] as? String == reason)
        #expect(error.localizedDescription.hasPrefix(reason))
        #expect(error.localizedDescription.contains("2 rules"))
        let details = try #require(error.userInfo[NSDetailedErrorsKey] as? [CocoaError])
        #expect(Set(details.map(\.errorCode)) == [1600, 134050])
        #expect(details.allSatisfy { $0.userInfo[NSDetailedErrorsKey] == nil })
        #expect(details.first { $0.errorCode == 1600 }?.validationKey == "guarded")
        #expect(try stack.count("Tag") == 1)
        // Without the mandatory inverse, the first of the remaining rules.
        #expect(try delete(stack, "Owned") == 1)
        let denied = #expect(throws: CocoaError.self) { _ = try delete(stack, "Tag") }
        #expect(denied?.errorCode == 1600)
        #expect(denied?.userInfo[NSDetailedErrorsKey] == nil)
    }

    @Test("Several deny rules are reported as one error of that kind that lists each")
    func severalDenials() throws {
        let model = Zoo.model()
        let tag = try #require(model.entitiesByName["Tag"])
        let guarded = Zoo.entity("Guarded", NSManagedObject.self)
        Zoo.link(tag, "first", .toMany, .denyDeleteRule, guarded, "firstTag", .toOne, .nullifyDeleteRule)
        Zoo.link(tag, "second", .toMany, .denyDeleteRule, guarded, "secondTag", .toOne, .nullifyDeleteRule)
        model.entities += [guarded]
        let stack = try TestStack(model: model)
        let held = stack.insert("Tag", ["label": "held"])
        stack.insert("Guarded", ["firstTag": held, "secondTag": held])
        try stack.context.save()
        let error = try #require(#expect(throws: CocoaError.self) { _ = try delete(stack, "Tag") })
        #expect(error.code == .validationRelationshipDeniedDelete)
        let details = try #require(error.userInfo[NSDetailedErrorsKey] as? [CocoaError])
        #expect(details.map(\.validationKey).sorted { ($0 ?? "") < ($1 ?? "") } == ["first", "second"])
        #expect(details.allSatisfy { $0.code == .validationRelationshipDeniedDelete })
    }

    @Test("The text of a refusal is logged, then thrown")
    func loggedText() throws {
        let stack = try TestStack()
        let info = stack.insert("ContentSyncedInfo", ["state": "s"])
        stack.insert("Content", ["title": "c", "info": info])
        try stack.context.save()
        let lines = Locked<[String]>([])
        let error = CoreDataLog.$logger.withValue(Logger(label: "test") { _ in LineHandler(lines: lines) }) {
            #expect(throws: CocoaError.self) { _ = try delete(stack, "ContentSyncedInfo") }
        }
        #expect(error?.errorCode == 134050)
        #expect(
            lines.withLock { $0 } == [
                "error: CoreData: error: Unhandled error from executeBatchDeleteRequest Constraint violation: Batch delete "
                    + "failed due to mandatory OTO nullify inverse on ContentSyncedInfo/content and userInfo "
                    + "{ \"_NSCoreDataOptimisticLockingFailureConflictsKey\" = ( \"\" ); }"
            ])
        // A delete that succeeds logs nothing.
        lines.withLock { $0 = [] }
        try CoreDataLog.$logger.withValue(Logger(label: "test") { _ in LineHandler(lines: lines) }) {
            _ = try delete(stack, "Content")
        }
        #expect(lines.withLock { $0 }.isEmpty)
    }
}

/// Records logged messages with their level.
private struct LineHandler: LogHandler {
    let lines: Locked<[String]>
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.withLock { $0.append("\(event.level): \(event.message)") } }
}
