import Foundation
import SwiftData
import Testing

/// Undo of changes of rows that other contexts changed, deleted or restored meanwhile.
@Suite("Undo with changes by other contexts")
struct UndoAcrossContextsTests {
    @Model final class Org {
        @Relationship(inverse: \Member.owner) var items: [Member] = []
        init() {}
    }

    @Model final class Member {
        var number = 5
        var owner: Org?
        init() {}
    }

    @Model final class Mark {
        var number: Int
        @Relationship(inverse: nil) var favourite: Member?
        init(_ number: Int) { self.number = number }
    }

    private func contexts() throws -> (ModelContainer, ModelContext, ModelContext, UndoManager) {
        let container = try ModelContainer(
            for: Org.self, Member.self, Mark.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let (one, two) = (ModelContext(container), ModelContext(container))
        let manager = UndoManager()
        one.undoManager = manager
        return (container, one, two, manager)
    }

    @Test("A link to a row deleted elsewhere is neither undone nor redone")
    func linkToDeleted() throws {
        let (_, context, other, manager) = try contexts()
        let (org, item) = (Org(), Member())
        context.insert(org)
        context.insert(item)
        try context.save()
        item.owner = org
        try other.delete(model: Member.self)
        try other.save()
        try context.save()
        #expect(org.items.isEmpty)
        manager.undo()
        #expect(!context.hasChanges)
        #expect(org.items.isEmpty)
        manager.redo()
        #expect(org.items.isEmpty)
        try context.save()
        #expect(org.items.isEmpty)
    }

    @Test("A link to a row that this context has not read is undone")
    func unreadDestination() throws {
        let (container, context, _, manager) = try contexts()
        let (first, second, item) = (Org(), Org(), Member())
        context.insert(first)
        context.insert(second)
        context.insert(item)
        item.owner = first
        try context.save()
        let (firstID, secondID) = (first.persistentModelID, second.persistentModelID)
        manager.removeAllActions()

        let reader = ModelContext(container)
        reader.undoManager = manager
        let read = try #require(try reader.fetch(FetchDescriptor<Member>()).first)
        let destination = try #require(
            try reader.fetch(FetchDescriptor<Org>(predicate: #Predicate { $0.persistentModelID == secondID })).first)
        read.owner = destination
        manager.undo()
        #expect(read.owner?.persistentModelID == firstID)
        #expect(destination.items.isEmpty)
    }

    @Test(
        "The undone delete of a row that was deleted and restored elsewhere makes no second row",
        arguments: [true, false])
    func restoredRow(isSaved: Bool) throws {
        let (container, context, other, manager) = try contexts()
        let item = Member()
        context.insert(item)
        try context.save()
        let id = item.persistentModelID
        let token: DeletionToken?
        if isSaved {
            token = try context.deleteAndArchive(model: Member.self)
            try context.save()
        } else {
            context.delete(item)
            token = try other.deletionPlan(for: [id]).executeAndArchive()
        }
        _ = try context.fetch(FetchDescriptor<Member>())
        try container.restore(try #require(token))
        _ = try context.fetch(FetchDescriptor<Member>())
        manager.undo()
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Member>()) == 1)
        guard !isSaved else { return }
        #expect(item.persistentModelID == id)
        #expect(item.modelContext === context)
        item.number = 8
        try context.save()
        #expect(try ModelContext(container).fetch(FetchDescriptor<Member>()).map(\.number) == [8])
    }

    @Test("Setting a relationship that reads as nil to nil is no undo step; the edit before it is undone")
    func clearingNothing() throws {
        let (container, context, _, manager) = try contexts()
        let (item, mark) = (Member(), Mark(1))
        context.insert(item)
        context.insert(mark)
        mark.favourite = item
        try context.save()
        context.delete(item)
        try context.save()
        #expect(mark.favourite == nil)
        manager.removeAllActions()

        mark.number = 2
        context.processPendingChanges()
        mark.favourite = nil
        context.processPendingChanges()
        manager.undo()
        #expect(mark.number == 1)
        try context.save()
        #expect(try ModelContext(container).fetch(FetchDescriptor<Mark>()).map(\.number) == [1])
    }
}
