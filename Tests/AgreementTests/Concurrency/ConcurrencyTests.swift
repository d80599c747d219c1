import Foundation
import TestSupport
import Testing

@testable import SwiftData

@ModelActor
actor Teller {
    /// Inserts accounts, one save each, and returns their identifiers.
    func open(_ numbers: Range<Int>) throws -> [PersistentIdentifier] {
        try numbers.map { number in
            let account = Account(number: number)
            modelContext.insert(account)
            try modelContext.save()
            return account.persistentModelID
        }
    }

    /// Moves an amount from one account to another in one save.
    func move(_ amount: Int, from source: PersistentIdentifier, to target: PersistentIdentifier, note: Int) throws {
        guard let source = self[source, as: Account.self], let target = self[target, as: Account.self] else { return }
        let entry = Entry(number: note, amount: amount)
        modelContext.insert(entry)
        entry.source = source
        entry.target = target
        source.lastNote = note
        try modelContext.save()
    }

    func close(_ ids: [PersistentIdentifier]) throws {
        for id in ids {
            if let account = self[id, as: Account.self] { modelContext.delete(account) }
            try modelContext.save()
        }
    }

    /// The number of entries, counted in the store and by fetching; entries may be added in between.
    func countEntries() throws -> (counted: Int, fetched: Int) {
        let counted = try modelContext.fetchCount(FetchDescriptor<Entry>())
        return (counted, try modelContext.fetch(FetchDescriptor<Entry>()).count)
    }
}

@Model final class Account {
    @Attribute(.unique) var number: Int
    var lastNote: Int?
    @Relationship(deleteRule: .cascade, inverse: \Entry.source) var outgoing: [Entry] = []
    @Relationship(deleteRule: .nullify, inverse: \Entry.target) var incoming: [Entry] = []

    init(number: Int) { self.number = number }
}

@Model final class Entry {
    var number: Int
    var amount: Int
    var source: Account?
    var target: Account?

    init(number: Int, amount: Int) {
        self.number = number
        self.amount = amount
    }
}

/// A file that is removed when the test ends.
private final class BankFile: Sendable {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func open() throws -> ModelContainer {
        return try ModelContainer(
            for: Account.self, Entry.self,
            configurations: ModelConfiguration(url: folder.appendingPathComponent("bank.store")))
    }
}

/// Several contexts that work concurrently in one container over a file. To be run with the thread sanitizer too:
/// `swift test --sanitize=thread --filter Concurrency`.
@Suite("Concurrency: many contexts, one file")
struct ConcurrencyTests {
    private static let workers = 4

    private func expect(_ container: ModelContainer, accounts: Int, entries: Int) throws {
        let context = ModelContext(container)
        let found = try context.fetch(FetchDescriptor<Account>())
        #expect(found.count == accounts)
        #expect(Set(found.map(\.number)).count == accounts)
        let all = try context.fetch(FetchDescriptor<Entry>())
        #expect(all.count == entries)
        #expect(Set(all.map(\.number)).count == entries)
        #expect(Set(all.map(\.persistentModelID)).count == entries)
        #expect(found.reduce(0) { $0 + $1.outgoing.count } == all.filter { $0.source != nil }.count)
        #expect(found.reduce(0) { $0 + $1.incoming.count } == all.filter { $0.target != nil }.count)
    }

    @Test("actors insert and link concurrently: nothing is lost, no key is used twice")
    func inserting() async throws {
        let file = try BankFile()
        let container = try file.open()
        let each = 12
        let ids = try await withThrowingTaskGroup(of: [PersistentIdentifier].self) { group in
            for worker in 0..<Self.workers {
                group.addTask {
                    try await Teller(modelContainer: container).open(worker * each..<(worker + 1) * each)
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(ids).count == Self.workers * each)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<Self.workers {
                group.addTask {
                    let teller = Teller(modelContainer: container)
                    for step in 0..<each {
                        // Every worker edits the same few accounts.
                        try await teller.move(
                            1, from: ids[step % 3], to: ids[3 + step % 2], note: worker * each + step)
                    }
                }
            }
            try await group.waitForAll()
        }
        try expect(container, accounts: Self.workers * each, entries: Self.workers * each)
        _ = file
    }

    @Test("actors read while others write and delete: totals are right at the end")
    func mixed() async throws {
        let file = try BankFile()
        let container = try file.open()
        let ids = try await Teller(modelContainer: container).open(0..<20)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<2 {
                group.addTask {
                    let teller = Teller(modelContainer: container)
                    for step in 0..<15 {
                        try await teller.move(
                            1, from: ids[10 + step % 5], to: ids[15 + step % 5], note: worker * 15 + step)
                    }
                }
            }
            group.addTask {
                // These have no entries of their own that others write.
                try await Teller(modelContainer: container).close(Array(ids.prefix(10)))
            }
            group.addTask {
                let teller = Teller(modelContainer: container)
                var last = 0
                for _ in 0..<30 {
                    let (counted, fetched) = try await teller.countEntries()
                    #expect(last <= counted && counted <= fetched)
                    last = fetched
                }
            }
            try await group.waitForAll()
        }
        try expect(container, accounts: 10, entries: 30)
        _ = file
    }

    @Test("one actor called from many tasks does their work one after the other")
    func oneActor() async throws {
        let file = try BankFile()
        let container = try file.open()
        let teller = Teller(modelContainer: container)
        let ids = try await teller.open(0..<4)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for note in 0..<40 {
                group.addTask { try await teller.move(1, from: ids[note % 2], to: ids[2 + note % 2], note: note) }
            }
            try await group.waitForAll()
        }
        try expect(container, accounts: 4, entries: 40)
        _ = file
    }

    @Test("the main context merges saves of actors, and saves concurrently")
    @MainActor func mainContext() async throws {
        let file = try BankFile()
        let container = try file.open()
        let context = container.mainContext
        let account = Account(number: 0)
        context.insert(account)
        try context.save()
        let id = account.persistentModelID
        async let actors: Void = withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<2 {
                group.addTask {
                    let teller = Teller(modelContainer: container)
                    for step in 0..<10 { try await teller.move(1, from: id, to: id, note: worker * 10 + step) }
                }
            }
            try await group.waitForAll()
        }
        for number in 1..<10 {
            context.insert(Account(number: number))
            try context.save()
            await Task.yield()
        }
        try await actors
        try expect(container, accounts: 10, entries: 20)
        #expect(try context.fetchCount(FetchDescriptor<Entry>()) == 20)
        #expect(account.outgoing.count == 20)
        _ = file
    }

    @Test("contexts of tasks upsert the same unique rows: one row each remains")
    func uniqueRows() async throws {
        let file = try BankFile()
        let container = try file.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<Self.workers {
                group.addTask {
                    let context = ModelContext(container)
                    for number in 0..<8 {
                        let account = Account(number: number)
                        account.lastNote = worker
                        context.insert(account)
                        try context.save()
                    }
                }
            }
            try await group.waitForAll()
        }
        try expect(container, accounts: 8, entries: 0)
        _ = file
    }
}
