import CoreData
import Foundation
import Testing
import TimestampsData

@Suite("An app in the form of Xcode's template")
@MainActor
struct TimestampsTests {
    private let controller = PersistenceController(inMemory: true)

    private func list() throws -> MomentList {
        #expect(controller.loadingError == nil)
        return try MomentList(context: controller.container.viewContext)
    }

    @Test("The preview has ten items, the newest first")
    func preview() throws {
        let list = try MomentList(context: PersistenceController.preview.container.viewContext)
        let dates = list.items.compactMap(\.timestamp)
        #expect(dates.count == 10 && dates == dates.sorted(by: >))
    }

    @Test("The list shows added and deleted items at once")
    func editing() throws {
        let list = try list()
        var changes = 0
        list.didChange = { changes += 1 }
        let now = Date()
        for minutes in 0..<3 { try list.addItem(note: "\(minutes)", at: now - Double(minutes) * 60) }
        #expect(list.items.map(\.note) == ["0", "1", "2"])
        try list.deleteItems(offsets: [0, 2, 9])
        #expect(list.items.map(\.note) == ["1"])
        #expect(changes == 4)
    }

    @Test("Searching narrows the list; the summary covers all items")
    func searching() throws {
        let list = try list()
        let (first, last) = (Date(timeIntervalSinceReferenceDate: 1), Date(timeIntervalSinceReferenceDate: 2))
        try list.addItem(note: "Café", at: first)
        try list.addItem(note: "Tea", at: last)
        try list.search("cafe")
        #expect(list.items.map(\.note) == ["Café"])
        let summary = try list.summary()
        #expect(summary.count == 2 && summary.first == first && summary.last == last)
        try list.search("")
        #expect(list.items.count == 2)
    }

    @Test("Batch work in the background updates the list, and the history records it")
    func tasks() async throws {
        let list = try list()
        let tasks = MomentTasks(controller: controller)
        let start = Date(timeIntervalSinceReferenceDate: 0)
        let drafts = (0..<100).map { MomentTasks.Draft(timestamp: start + Double($0), note: "\($0)") }
        #expect(try await tasks.insert(drafts) == 100)
        #expect(list.items.count == 100 && list.items.first?.note == "99")
        #expect(try await tasks.deleteItems(before: start + 40) == 40)
        #expect(list.items.count == 60 && list.items.last?.note == "40")
        #expect(try await tasks.transactionsOfTasks() == 2)
    }

    @Test("Items in a store's file are still there when it is reopened")
    func files() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("items.sqlite")
        for round in 1...2 {
            let controller = PersistenceController(url: url)
            let list = try MomentList(context: controller.container.viewContext)
            try list.addItem()
            #expect(list.items.count == round)
        }
    }
}
