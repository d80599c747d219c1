import Foundation
import SwiftData
import Testing

@Suite("Consumers of history")
struct HistoryConsumerTests {
    private struct Stop: Error {}

    private func history(_ context: ModelContext) throws -> [Int64] {
        try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).map(\.transactionIdentifier)
    }

    @Test("New transactions are delivered once, without ignored authors, also in the next run")
    func once() throws {
        let folder = try TestFolder()
        let container = try Travels.container(at: folder.file())
        let context = ModelContext(container)
        try Travels.save("before", in: context)
        let consumer = try HistoryConsumer("uploader", of: container, ignoring: ["uploader"])
        try Travels.save("a", by: "app", in: context)
        try Travels.save("b", by: "uploader", in: context)
        try Travels.save("c", in: context)
        var names: [String] = []
        let read = { (transactions: [DefaultHistoryTransaction]) in
            for case .insert(let insert as DefaultHistoryInsert<Travels.Trip>) in transactions.flatMap(\.changes) {
                let model = context.model(for: insert.changedPersistentIdentifier) as? Travels.Trip
                names.append(model?.name ?? "?")
            }
        }
        #expect(try consumer.consume(read) == 2)
        #expect(names == ["a", "c"])
        #expect(try consumer.consume(read) == 0)
        try Travels.save("d", in: context)
        let other = try Travels.container(at: folder.file())
        #expect(try HistoryConsumer("uploader", of: other).consume(read) == 1)
        #expect(names == ["a", "c", "d"])
    }

    @Test("History is deleted up to the slowest consumer's position")
    func trimming() throws {
        let container = try Travels.container()
        let context = ModelContext(container)
        let fast = try HistoryConsumer("fast", of: container)
        let slow = try HistoryConsumer("slow", of: container)
        try Travels.save("a", "b", "c", in: context)
        try fast.consume { _ in }
        #expect(try history(context) == [1, 2, 3])
        #expect(throws: Stop.self) { try slow.consume { _ in throw Stop() } }
        #expect(try history(context) == [1, 2, 3])
        try slow.consume(keepingHistoryFor: 3600) { _ in }
        #expect(try history(context) == [1, 2, 3])
        try slow.consume { _ in }
        #expect(try history(context) == [3])
        let registrations = try HistoryConsumer.registrations(in: container)
        #expect(registrations.map(\.name) == ["fast", "slow"])
        #expect(registrations.allSatisfy { $0.token.tokenValue?.values.first == 3 })
        try Travels.save("d", in: context)
        try slow.unregister()
        try fast.consume { _ in }
        #expect(try history(context) == [4])
        #expect(try HistoryConsumer.registrations(in: container).map(\.name) == ["fast"])
    }

    @Test("History deleted by another program is an error until the consumer starts over")
    func expired() throws {
        let container = try Travels.container()
        let context = ModelContext(container)
        let consumer = try HistoryConsumer("reader", of: container, from: .beginning)
        try Travels.save("a", "b", in: context)
        try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        #expect(throws: SwiftDataError.historyTokenExpired) { try consumer.consume { _ in } }
        try consumer.skipToNow()
        try Travels.save("c", in: context)
        #expect(try consumer.consume { _ in } == 1)
    }

    @Test("A read-only store refuses registrations")
    func readOnly() throws {
        let folder = try TestFolder()
        _ = try Travels.container(at: folder.file())
        let reader = try ModelContainer(
            for: Travels.Trip.self, Travels.Voyage.self, Travels.Stay.self,
            configurations: ModelConfiguration(url: folder.file(), allowsSave: false))
        #expect(throws: CocoaError.self) { try HistoryConsumer("reader", of: reader) }
    }
}
