import CoreData
import Testing

/// Xcode's older models give each optional to-one relationship a minimum count of one.
@Suite("Optional to-one relationships with a minimum count of one")
struct OptionalMinimumTests {
    enum Deletion: CaseIterable, Sendable {
        case object, batch, strictBatch
    }

    private func stack() throws -> TestStack {
        let model = Zoo.model()
        let keeper = try #require(model.entitiesByName["Animal"]?.relationshipsByName["keeper"])
        (keeper.minCount, keeper.maxCount) = (1, 1)
        return try TestStack(model: model)
    }

    @Test("An object without a destination is saved")
    func withoutDestination() throws {
        let stack = try stack()
        stack.insert("Animal", ["name": "a"])
        try stack.context.save()
        #expect(try stack.count("Animal", NSPredicate(format: "keeper == nil")) == 1)
    }

    @Test("The destination is deleted, and the relationship becomes nil", arguments: Deletion.allCases)
    func deletedDestination(_ deletion: Deletion) throws {
        let stack = try stack()
        let keeper = stack.insert("Person")
        stack.insert("Animal", ["name": "a", "keeper": keeper])
        try stack.context.save()
        switch deletion {
        case .object:
            stack.context.delete(keeper)
            try stack.context.save()
        case .batch, .strictBatch:
            let request = NSBatchDeleteRequest(fetchRequest: stack.request("Person"))
            request.enforcesMinimumCounts = deletion == .strictBatch
            try stack.context.execute(request)
        }
        #expect(try stack.count("Person") == 0)
        #expect(try stack.count("Animal", NSPredicate(format: "keeper == nil")) == 1)
    }
}
