import Foundation
import SwiftData

/// A store that forwards everything to the library's own: one that logs, say, or encrypts.
final class WrappedStore: DataStore, DataStoreBatching {
    struct Configuration: DataStoreConfiguration {
        typealias Store = WrappedStore

        var name = "wrapped"
        var schema: Schema?
        var url: URL
    }

    typealias Snapshot = DefaultSnapshot

    let configuration: Configuration
    let schema: Schema
    private let inner: DefaultStore
    var identifier: String { inner.identifier }

    init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        inner = try DefaultStore(ModelConfiguration(schema: configuration.schema, url: configuration.url))
        schema = inner.schema
    }

    func erase() throws { try inner.erase() }

    func fetch<T>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, DefaultSnapshot>
    where T: PersistentModel { try inner.fetch(request) }

    func fetchCount<T>(_ request: DataStoreFetchRequest<T>) throws -> Int where T: PersistentModel {
        try inner.fetchCount(request)
    }

    func fetchIdentifiers<T>(_ request: DataStoreFetchRequest<T>) throws -> [PersistentIdentifier]
    where T: PersistentModel { try inner.fetchIdentifiers(request) }

    func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> { try inner.save(request) }

    func delete<T>(_ request: DataStoreBatchDeleteRequest<T>) throws where T: PersistentModel {
        try inner.delete(request)
    }
}
