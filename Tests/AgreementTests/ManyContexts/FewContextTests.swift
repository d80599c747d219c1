import Foundation
import TestSupport
import Testing

@testable import SQLiteStore
@testable import SwiftData

/// What random runs of four contexts found, in as few steps as it takes.
@Suite("A few contexts, one file")
final class FewContextTests {
    private let containers: [ModelContainer]
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let url = folder.appendingPathComponent("few.store")
        containers = try (0..<2).map { _ in
            try ModelContainer(
                for: Organisation.self, Item.self, Kit.self, Badge.self, Contract.self, Label.self,
                configurations: ModelConfiguration(url: url))
        }
    }

    private func only<T: Tagged>(_ type: T.Type, tag: Int, _ context: ModelContext) throws -> T {
        try #require(try context.fetch(FetchDescriptor<T>()).first { $0.tag == tag })
    }

    @Test("An undone link does not stay in the member lists when others have saved the same link meanwhile")
    func undoneLink() throws {
        let (one, two) = (ModelContext(containers[0]), ModelContext(containers[1]))
        one.undoManager = UndoManager()
        let (first, second) = (Organisation(tag: 1, number: 0, code: nil), Organisation(tag: 2, number: 0, code: nil))
        for organisation in [first, second] { one.insert(organisation) }
        one.insert(Contract(tag: 3, number: 0, organisation: first))
        one.insert(Label(tag: 4, number: 0))
        try one.save()
        let contract = try only(Contract.self, tag: 3, one)
        _ = (first.contracts, second.contracts)

        contract.organisation = second
        one.processPendingChanges()
        let same = try only(Contract.self, tag: 3, two)
        same.organisation = try only(Organisation.self, tag: 2, two)
        try two.save()
        one.delete(try only(Label.self, tag: 4, one))
        one.processPendingChanges()
        one.undoManager?.undo()
        one.undoManager?.undo()
        try one.save()

        #expect(contract.organisation.tag == 2)
        #expect(first.contracts.isEmpty)
        #expect(second.contracts.map(\.tag) == [3])
    }

    @Test(
        "A model with a mandatory owner that two contexts move keeps one, or is deleted, when one of them deletes owners",
        arguments: 1...3)
    func movedBadge(doomed: Int) throws {
        let (zero, two) = (ModelContext(containers[0]), ModelContext(containers[0]))
        zero.undoManager = UndoManager()
        let (former, other) = (Item(tag: 1, number: doomed == 1 ? 1 : 0), Item(tag: 2, number: doomed == 2 ? 1 : 0))
        let kit = Kit(tag: 3, number: doomed == 3 ? 1 : 0)
        for item in [former, other, kit] { zero.insert(item) }
        zero.insert(Badge(tag: 4, number: 0, item: former))
        try zero.save()

        kit.badge = try only(Badge.self, tag: 4, zero)
        try only(Item.self, tag: 2, two).badge = try only(Badge.self, tag: 4, two)
        try two.save()
        try zero.delete(model: Item.self, where: #Predicate { $0.number == 1 })
        try zero.save()

        let store = try #require(containers[1].core.store as? SQLiteStore)
        try store.pool.withReader { try StoredLinks(map: store.map, connection: $0).check() }
        #expect(try ModelContext(containers[1]).fetchCount(FetchDescriptor<Item>()) == 2)
    }
}
