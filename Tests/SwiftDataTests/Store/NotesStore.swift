import Foundation
import SwiftData

/// A store as a program would write it: one JSON file with a snapshot for each model, read and written as a whole.
struct JSONStoreConfiguration: DataStoreConfiguration {
    typealias Store = JSONStore

    var name: String
    var schema: Schema?
    var fileURL: URL
    let opened: OpenedStore

    init(name: String = "notes", schema: Schema? = nil, fileURL: URL, opened: OpenedStore = OpenedStore()) {
        self.name = name
        self.schema = schema
        self.fileURL = fileURL
        self.opened = opened
    }

    static func == (lhs: JSONStoreConfiguration, rhs: JSONStoreConfiguration) -> Bool {
        lhs.name == rhs.name && lhs.fileURL == rhs.fileURL
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(fileURL)
    }
}

final class JSONStore: DataStore {
    typealias Configuration = JSONStoreConfiguration
    typealias Snapshot = DefaultSnapshot

    let configuration: JSONStoreConfiguration
    let schema: Schema
    let identifier: String
    /// The requests, in order.
    private(set) var asked: [String] = []

    init(_ configuration: JSONStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        schema = configuration.schema ?? Schema([])
        identifier = configuration.fileURL.lastPathComponent
        configuration.opened.store = self
    }

    /// A mistake that a store may make.
    var forgetsIdentifiers = false

    func fetch<T>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, DefaultSnapshot>
    where T: PersistentModel {
        asked.append("fetch \(T.self) by \(request.editingState.author ?? "nobody")")
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
        let all = try read()
        let name = Schema.entityName(for: T.self)
        let found = all.values.filter { $0.persistentIdentifier.entityName == name }
        return DataStoreFetchResult(
            descriptor: request.descriptor, fetchedSnapshots: Array(found), relatedSnapshots: all)
    }

    func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        asked.append("save \(request.inserted.count) \(request.updated.count) \(request.deleted.count)")
        var all = try read()
        var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
        for snapshot in request.inserted {
            remapped[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
                for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID())
        }
        for snapshot in request.inserted + request.updated {
            let id = remapped[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier
            all[id] = snapshot.copy(persistentIdentifier: id, remappedIdentifiers: remapped)
        }
        for snapshot in request.deleted { all[snapshot.persistentIdentifier] = nil }
        try write(all)
        if forgetsIdentifiers { remapped = [:] }
        return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
    }

    func erase() throws { try write([:]) }

    func read() throws -> [PersistentIdentifier: DefaultSnapshot] {
        guard FileManager.default.fileExists(atPath: configuration.fileURL.path) else { return [:] }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let all = try decoder.decode([DefaultSnapshot].self, from: Data(contentsOf: configuration.fileURL))
        return Dictionary(uniqueKeysWithValues: all.map { ($0.persistentIdentifier, $0) })
    }

    private func write(_ all: [PersistentIdentifier: DefaultSnapshot]) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let ordered = all.values.sorted { $0.persistentIdentifier < $1.persistentIdentifier }
        try encoder.encode(ordered).write(to: configuration.fileURL, options: .atomic)
    }
}

/// The store that was opened last with a configuration.
final class OpenedStore {
    weak var store: JSONStore?
}

@Model
final class Notebook {
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \Note.notebook) var notes: [Note] = []

    init(title: String) {
        self.title = title
    }
}

@Model
final class Note {
    var text: String
    var written: Date
    var stars: Int?
    var place: NotePlace?
    var notebook: Notebook?
    @Relationship(inverse: \Label.notes) var labels: [Label] = []

    init(text: String, written: Date = Date(timeIntervalSince1970: 1_000), stars: Int? = nil) {
        self.text = text
        self.written = written
        self.stars = stars
    }
}

struct NotePlace: Codable, Hashable {
    var x: Int
    var y: Int
}

@Model
final class Label {
    var name: String
    var notes: [Note] = []

    init(name: String) {
        self.name = name
    }
}
