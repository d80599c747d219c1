import Foundation
import SwiftData
import Testing

@Model
private final class Row {
    var name: String
    @Attribute(.ephemeral) var isSelected: Bool = false
    @Attribute(.ephemeral) var color: String?

    init(_ name: String) { self.name = name }
}

@Suite("Ephemeral values in several contexts")
struct EphemeralTests {
    private let folder: TestFolder
    private let container: ModelContainer
    private let main: ModelContext
    private let other: ModelContext
    private let row: Row
    private let same: Row

    init() throws {
        folder = try TestFolder()
        container = try ModelContainer(for: Row.self, configurations: ModelConfiguration(url: folder.file()))
        main = ModelContext(container)
        other = ModelContext(container)
        row = Row("a")
        main.insert(row)
        try main.save()
        same = try #require(try other.fetch(FetchDescriptor<Row>()).first)
    }

    private func transactionCount() throws -> Int {
        try ModelContext(container).fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count
    }

    @Test("A context keeps its own values while another one saves the model")
    func kept() throws {
        row.isSelected = true
        row.color = "red"
        try main.save()
        same.name = "b"
        try other.save()
        main.processPendingChanges()
        #expect(row.name == "b")
        #expect(row.isSelected)
        #expect(row.color == "red")
    }

    @Test("Ephemeral values are kept under unsaved edits, and if both contexts saved")
    func conflicts() throws {
        row.isSelected = true
        row.name = "c"
        same.color = "blue"
        same.name = "b"
        try other.save()
        #expect(row.isSelected && row.name == "c")
        try main.save()
        other.processPendingChanges()
        #expect(row.isSelected && row.color == nil)
        #expect(same.name == "c" && !same.isSelected && same.color == "blue")
    }

    @Test("Ephemeral values are invisible to other contexts")
    func unseen() throws {
        row.isSelected = true
        row.name = "b"
        try main.save()
        other.processPendingChanges()
        #expect(same.name == "b")
        #expect(!same.isSelected)
        #expect(try ModelContext(container).fetch(FetchDescriptor<Row>()).first?.isSelected == false)
    }

    @Test("Editing only ephemeral values writes nothing: no history, no conflict")
    func unwritten() throws {
        let before = try transactionCount()
        row.isSelected = true
        #expect(main.hasChanges)
        try main.save()
        #expect(!main.hasChanges && row.isSelected)
        #expect(try transactionCount() == before)
        row.color = "red"
        main.rollback()
        #expect(row.color == nil && row.isSelected)
    }
}
