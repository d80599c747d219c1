import Foundation
import SwiftData

/// A store in memory with custom snapshots, which evaluates predicates, deletes by them, and keeps a history.
final class WordStore: DataStore, DataStoreBatching, HistoryProviding {
    struct Configuration: DataStoreConfiguration {
        typealias Store = WordStore

        var name = "words"
        var schema: Schema?
        let words = Words()

        static func == (lhs: Configuration, rhs: Configuration) -> Bool { lhs.name == rhs.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// The rows, for as long as the configuration lives.
    final class Words {
        var rows: [PersistentIdentifier: WordSnapshot] = [:]
        var history: [WordTransaction] = []
        var asked: [String] = []
        var nextKey = 1
        /// The mistake that the store makes at the next save.
        var mistake: Mistake?

        enum Mistake { case noIdentifier, unreadableCorrection }
    }

    let identifier = "words"
    let schema: Schema
    let configuration: Configuration
    private var words: Words { configuration.words }

    init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        schema = configuration.schema ?? Schema([])
    }

    func fetch<T>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, WordSnapshot>
    where T: PersistentModel {
        words.asked.append("fetch")
        return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: try matching(request.descriptor))
    }

    func fetchCount<T>(_ request: DataStoreFetchRequest<T>) throws -> Int where T: PersistentModel {
        words.asked.append("count")
        return try matching(request.descriptor).count
    }

    func cachedSnapshots(
        for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: WordSnapshot] {
        words.asked.append("cached")
        return words.rows.filter { persistentIdentifiers.contains($0.key) }
    }

    /// Evaluates only the predicates that the tests use.
    private func matching<T>(_ descriptor: FetchDescriptor<T>) throws -> [WordSnapshot] {
        if !descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
        let all = words.rows.values.sorted { $0.persistentIdentifier < $1.persistentIdentifier }
        let found = try all.filter { row in
            guard let predicate = (descriptor as? FetchDescriptor<Word>)?.predicate else { return true }
            return try predicate.evaluate(Word(text: row.text, rank: row.rank))
        }
        return Array(descriptor.fetchLimit.map { found.prefix($0) } ?? found[...])
    }

    func save(
        _ request: DataStoreSaveChangesRequest<WordSnapshot>
    ) throws -> DataStoreSaveChangesResult<WordSnapshot> {
        var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
        var corrected: [PersistentIdentifier: WordSnapshot] = [:]
        for row in request.inserted + request.updated {
            var id = row.persistentIdentifier
            if id.storeIdentifier == nil {
                id = try .identifier(for: identifier, entityName: id.entityName, primaryKey: words.nextKey)
                words.nextKey += 1
                remapped[row.persistentIdentifier] = id
            }
            var kept = row.copy(persistentIdentifier: id, remappedIdentifiers: nil)
            // Words are kept in lower case.
            kept.text = kept.text.lowercased()
            if kept.text != row.text { corrected[id] = kept }
            words.rows[id] = kept
        }
        for row in request.deleted { words.rows[row.persistentIdentifier] = nil }
        switch words.mistake {
        case .noIdentifier?: _ = remapped.keys.max().map { remapped.removeValue(forKey: $0) }
        case .unreadableCorrection?: corrected = corrected.mapValues(\.unreadable)
        case nil: break
        }
        words.mistake = nil
        words.history.append(WordTransaction(id: words.history.count + 1, author: request.editingState.author))
        return DataStoreSaveChangesResult(
            for: identifier, remappedIdentifiers: remapped, snapshotsToReregister: corrected)
    }

    func delete<T>(_ request: DataStoreBatchDeleteRequest<T>) throws where T: PersistentModel {
        words.asked.append("delete")
        for row in try matching(FetchDescriptor<T>(predicate: request.predicate)) {
            words.rows[row.persistentIdentifier] = nil
        }
    }

    static var historyType: WordTransaction.Type { WordTransaction.self }

    func fetchHistory(_ descriptor: HistoryDescriptor<WordTransaction>) throws -> [WordTransaction] { words.history }
    func deleteHistory(_ descriptor: HistoryDescriptor<WordTransaction>) throws { words.history = [] }
}

struct WordSnapshot: DataStoreSnapshot {
    let persistentIdentifier: PersistentIdentifier
    var text: String
    var rank: Int
    private var isReadable = true

    /// With a rank that is no number.
    var unreadable: WordSnapshot {
        var copy = self
        copy.isReadable = false
        return copy
    }

    private init(_ identifier: PersistentIdentifier, _ text: String, _ rank: Int) {
        (persistentIdentifier, self.text, self.rank) = (identifier, text, rank)
    }

    init(from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData]) {
        guard let word = backingData as? any BackingData<Word>, let id = word.persistentModelID else {
            fatalError("A word store keeps words only.")
        }
        self.init(id, word.getValue(forKey: \.text), word.getValue(forKey: \.rank))
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
        self.init(
            try container.decode(PersistentIdentifier.self, forKey: .persistentIdentifier),
            try container.decode(String.self, forKey: .modeledProperty("text")),
            try container.decode(Int.self, forKey: .modeledProperty("rank")))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
        try container.encode(persistentIdentifier, forKey: .persistentIdentifier)
        try container.encode(text, forKey: .modeledProperty("text"))
        if isReadable {
            try container.encode(rank, forKey: .modeledProperty("rank"))
        } else {
            try container.encode("no number", forKey: .modeledProperty("rank"))
        }
    }

    func copy(
        persistentIdentifier: PersistentIdentifier, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
    ) -> WordSnapshot { WordSnapshot(persistentIdentifier, text, rank) }
}

struct WordTransaction: HistoryTransaction {
    let id: Int
    let author: String?
    var timestamp: Date { Date(timeIntervalSinceReferenceDate: 0) }
    var changes: [HistoryChange] { [] }
    var token: WordToken { WordToken(id: id) }
    var transactionIdentifier: Int { id }
    var storeIdentifier: String { "words" }

    static func == (lhs: WordTransaction, rhs: WordTransaction) -> Bool { lhs.id == rhs.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

struct WordToken: Comparable, Hashable, Identifiable, Sendable {
    let id: Int
    static func < (lhs: WordToken, rhs: WordToken) -> Bool { lhs.id < rhs.id }
}

@Model
final class Word {
    var text: String
    var rank: Int

    init(text: String, rank: Int) {
        self.text = text
        self.rank = rank
    }
}
