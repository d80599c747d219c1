import Foundation
import SwiftData
import Testing

/// Stores with optional features, and custom snapshots.
@Suite("Custom stores: snapshots, batches, history")
struct OwnSnapshotTests {
    private let configuration = WordStore.Configuration()
    private var words: WordStore.Words { configuration.words }

    private func container() throws -> ModelContainer {
        try ModelContainer(for: Word.self, configurations: configuration)
    }

    private func filled() throws -> ModelContext {
        let context = ModelContext(try container())
        for (rank, text) in ["one", "two", "three"].enumerated() { context.insert(Word(text: text, rank: rank)) }
        try context.save()
        words.asked = []
        return context
    }

    @Test("Values are stored and read back; predicates evaluated by the store are not evaluated again")
    func values() throws {
        _ = try filled()
        let context = ModelContext(try container())
        let found = try context.fetch(FetchDescriptor<Word>(predicate: #Predicate { $0.rank > 0 }))
        #expect(found.map(\.text) == ["two", "three"])
        #expect(found.map(\.rank) == [1, 2])
        #expect(words.asked == ["fetch"])
        #expect(try context.fetchCount(FetchDescriptor<Word>(predicate: #Predicate { $0.rank > 1 })) == 1)
        #expect(words.asked == ["fetch", "count"])
        let sorted = try context.fetch(FetchDescriptor<Word>(sortBy: [SortDescriptor(\.text)]))
        #expect(sorted.map(\.text) == ["one", "three", "two"])
    }

    @Test("A model looked up by its identifier is requested by it")
    func byIdentifier() throws {
        let id = try #require(try filled().fetchIdentifiers(FetchDescriptor<Word>()).first)
        let context = ModelContext(try container())
        words.asked = []
        #expect((context.model(for: id) as? Word)?.text == "one")
        #expect(words.asked == ["cached"])
    }

    @Test("After the save a model has the values that the store kept, even if they differ")
    func corrections() throws {
        let context = ModelContext(try container())
        let word = Word(text: "LOUD", rank: 0)
        context.insert(word)
        try context.save()
        context.processPendingChanges()
        #expect(word.text == "loud")
        #expect(!context.hasChanges)
        #expect(try context.fetch(FetchDescriptor<Word>()).map(\.text) == ["loud"])
    }

    @Test("A save succeeds even if the stored values cannot be read; the model is read again")
    func unreadableCorrection() throws {
        let context = ModelContext(try container())
        let word = Word(text: "LOUD", rank: 0)
        context.insert(word)
        words.mistake = .unreadableCorrection
        try context.save()
        #expect(!context.hasChanges)
        context.processPendingChanges()
        #expect(word.text == "loud")
        word.rank = 1
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Word>()).map(\.rank) == [1])
    }

    @Test("If a save returns no identifier for a new model, the error says that it was written, and a rollback works")
    func noIdentifier() throws {
        let context = ModelContext(try container())
        for rank in 0..<2 { context.insert(Word(text: "new", rank: rank)) }
        words.mistake = .noIdentifier
        let error = #expect(throws: (any Error).self) { try context.save() }
        #expect(error.map { String(describing: $0).contains("roll the context back") } == true)
        #expect(context.insertedModelsArray.count == 2)
        context.rollback()
        #expect(try context.fetch(FetchDescriptor<Word>()).map(\.rank) == [0, 1])
    }

    @Test("A store that supports bulk deletes executes them at once; contexts merge them")
    func batchDelete() throws {
        let context = try filled()
        let other = ModelContext(context.container)
        let theirs = try other.fetch(FetchDescriptor<Word>())
        try context.delete(model: Word.self, where: #Predicate { $0.rank < 2 })
        #expect(words.asked.last == "delete")
        #expect(words.rows.count == 1)
        #expect(try context.fetch(FetchDescriptor<Word>()).map(\.text) == ["three"])
        #expect(try other.fetchCount(FetchDescriptor<Word>()) == 1)
        #expect(theirs.map { $0.modelContext == nil } == [true, true, false])
        #expect(theirs.map(\.text) == ["one", "two", "three"])
        // If unsaved changes affect the match, the delete waits for the save.
        context.insert(Word(text: "four", rank: 0))
        try context.delete(model: Word.self)
        #expect(words.rows.count == 1)
        try context.save()
        #expect(words.rows.isEmpty)
    }

    @Test("A history of the store's own type can be fetched and deleted through contexts")
    func history() throws {
        let context = ModelContext(try container())
        context.author = "me"
        context.insert(Word(text: "a", rank: 0))
        try context.save()
        let history = try context.fetchHistory(HistoryDescriptor<WordTransaction>())
        #expect(history.map(\.author) == ["me"])
        try context.deleteHistory(HistoryDescriptor<WordTransaction>())
        #expect(try context.fetchHistory(HistoryDescriptor<WordTransaction>()).isEmpty)
        #expect(throws: SwiftDataError.invalidTransactionFetchRequest) {
            try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        }
    }
}
