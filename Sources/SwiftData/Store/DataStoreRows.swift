import Foundation
import ObjectGraph

/// A store of the program's own class as rows of the engine. Calls are serialized.
///
/// 1. The store receives a context's fetch as its descriptor. Whatever the store does not evaluate, and the engine's own
///    queries, are evaluated in memory over all models of the class.
/// 2. Such stores have no row versions: a row whose values have changed since they were last read is a newer version.
/// 3. Identifiers that the store has replaced remain valid as long as the store is open.
final class DataStoreRows<Base: DataStore>: ObjectRows, @unchecked Sendable {
    // Used by one thread at a time, which `ObjectStore` ensures.
    let base: Base
    let model: Model
    /// By entity index.
    private let types: [ModelType?]
    /// The snapshots of the last fetch.
    private var recent: [ObjectID: DefaultSnapshot] = [:]
    private var versions: [ObjectID: KnownVersion] = [:]
    private var replaced: [PersistentIdentifier: PersistentIdentifier] = [:]
    /// Rows that the store keeps otherwise than they were given, for the contexts to merge.
    private var corrections = SavedChanges()

    private struct KnownVersion {
        var version: RowVersion
        var hash: Int
    }

    init(_ base: Base, model: Model, types: [ModelType?]) {
        self.base = base
        self.model = model
        self.types = types
    }

    /// Called before the store is changed.
    func discardRecentRows() { recent = [:] }

    private var editingState: EditingState { DataStoreCaller.current?.editingState ?? EditingState() }

    private func modelClass(at entityIndex: Int) -> any PersistentModel.Type {
        (types.indices.contains(entityIndex) ? types[entityIndex]?.type : nil) ?? UnknownModel.self
    }

    // MARK: Fetching

    func answer(to query: Query) throws -> ObjectAnswer { try answer(to: query, modelClass(at: query.entityIndex)) }

    private func answer<T: PersistentModel>(to query: Query, _ type: T.Type) throws -> ObjectAnswer {
        if let descriptor: FetchDescriptor<T> = try asked(as: query),
            let found = try unlessRefused({ try fetch(descriptor, below: query) })
        {
            return .rows(window(query, of: found))
        }
        return .candidates(try fetch(FetchDescriptor<T>(), below: query))
    }

    func identifiers(for query: Query) throws -> [ObjectID]? {
        func open<T: PersistentModel>(_ type: T.Type) throws -> [ObjectID]? {
            guard let descriptor: FetchDescriptor<T> = try asked(as: query) else { return nil }
            let found = try unlessRefused { try base.fetchIdentifiers(request(descriptor)) }
            return try found.map { window(query, of: try $0.map(\.objectID).filter { try isWanted($0, query) }) }
        }
        return try open(modelClass(at: query.entityIndex))
    }

    func count(for query: Query) throws -> Int? {
        func open<T: PersistentModel>(_ type: T.Type) throws -> Int? {
            guard let descriptor: FetchDescriptor<T> = try asked(as: query),
                let count = try unlessRefused({ try base.fetchCount(request(descriptor)) })
            else { return nil }
            let rest = max(0, count - max(0, query.offset))
            return query.limit.map { min(rest, max(0, $0)) } ?? rest
        }
        return try open(modelClass(at: query.entityIndex))
    }

    /// The descriptor from which a context made the query, with a limit that includes the rows that its offset skips.
    private func asked<T: PersistentModel>(as query: Query) throws -> FetchDescriptor<T>? {
        guard let asked = StoreCall.current?.request, var descriptor = asked.request as? FetchDescriptor<T>
        else {
            return nil
        }
        var own = asked.query
        (own.limit, own.offset, own.excluded) = (query.limit, query.offset, query.excluded)
        guard own == query else { return nil }
        descriptor.fetchOffset = nil
        descriptor.fetchLimit = query.limit.map { [max(0, $0), max(0, query.offset)].saturatingSum() }
        return descriptor
    }

    private func request<T>(_ descriptor: FetchDescriptor<T>) -> DataStoreFetchRequest<T> {
        DataStoreFetchRequest(editingState: editingState, descriptor: descriptor)
    }

    /// - Returns: `nil` if the store requires a fetch of all models.
    private func unlessRefused<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch DataStoreError.preferInMemoryFilter, DataStoreError.preferInMemorySort {
            return nil
        }
    }

    private func fetch<T>(_ descriptor: FetchDescriptor<T>, below query: Query) throws -> [Snapshot] {
        let result = try base.fetch(request(descriptor))
        let found = try result.fetchedSnapshots.compactMap(read)
        let related = try result.relatedSnapshots.values.compactMap(read)
        recent = Dictionary((related + found).map { ($0.persistentIdentifier.objectID, $0) }) { $1 }
        return try found.filter { try isWanted($0.persistentIdentifier.objectID, query) }.map(row)
    }

    private func isWanted(_ id: ObjectID, _ query: Query) throws -> Bool {
        guard let index = model.entity(named: id.entityName)?.index else { return false }
        return query.includesSubentities ? model.isKind(index, of: query.entityIndex) : index == query.entityIndex
    }

    private func window<Element>(_ query: Query, of all: [Element]) -> [Element] {
        let rest = all.dropFirst(max(0, query.offset))
        return Array(query.limit.map { rest.prefix(max(0, $0)) } ?? rest)
    }

    // MARK: Rows

    /// - Returns: `nil` for a model of a class that the store does not keep.
    private func read(_ snapshot: Base.Snapshot) throws -> DefaultSnapshot? {
        guard let entity = model.entity(named: snapshot.persistentIdentifier.entityName), let type = types[entity.index]
        else { return nil }
        let found = try SnapshotReader(entity: entity, type: type).read(snapshot)
        guard !replaced.isEmpty else { return found }
        return found.copy(persistentIdentifier: lasting(found.persistentIdentifier), remappedIdentifiers: replaced)
    }

    private func lasting(_ id: PersistentIdentifier) -> PersistentIdentifier { replaced[id] ?? id }

    private func row(_ snapshot: DefaultSnapshot) -> Snapshot {
        let id = snapshot.persistentIdentifier.objectID
        let hash = snapshot.values.hashValue
        var known = versions[id] ?? KnownVersion(version: 1, hash: hash)
        if known.hash != hash { known = KnownVersion(version: .next(after: known.version), hash: hash) }
        versions[id] = known
        return Snapshot(id: id, version: known.version, values: snapshot.values)
    }

    func snapshots(of ids: [ObjectID]) throws -> [Snapshot] {
        let found = try models(of: ids)
        return ids.compactMap { found[$0].map(row) }
    }

    private func models(of ids: [ObjectID]) throws -> [ObjectID: DefaultSnapshot] {
        var found = recent
        var missing = ids.filter { found[$0] == nil }
        guard !missing.isEmpty else { return found }
        let cached = try base.cachedSnapshots(for: missing.map(\.persistent), editingState: editingState)
        for (id, snapshot) in cached { found[id.objectID] = try read(snapshot) }
        missing.removeAll { found[$0] != nil }
        for (space, ids) in Dictionary(grouping: missing, by: \.space) {
            guard let entity = model.entity(named: space.entityName) else { continue }
            try fetch(ids.map(\.persistent), Query(entityIndex: entity.index), modelClass(at: entity.index))
            found.merge(recent) { $1 }
        }
        recent = found
        return found
    }

    private func fetch<T: PersistentModel>(_ ids: [PersistentIdentifier], _ query: Query, _ type: T.Type) throws {
        let wanted = #Predicate<T> { ids.contains($0.persistentModelID) }
        let some = try unlessRefused { try fetch(FetchDescriptor<T>(predicate: wanted), below: query) }
        if some == nil { _ = try fetch(FetchDescriptor<T>(), below: query) }
    }

    /// From the owner's snapshot if it lists them, else the rows that refer to the owner.
    func members(of relationship: EntityRelationship, owner: ObjectID) throws -> [ObjectID] {
        if let listed = try models(of: [owner])[owner]?.members[relationship.name] {
            let ids = listed.map(\.objectID)
            return relationship.relationship.isOrdered ? ids : ids.sorted()
        }
        guard let slot = model.inverse(of: relationship)?.slot else { return [] }
        let query = Query(entityIndex: relationship.destinationIndex)
        func open<T: PersistentModel>(_ type: T.Type) throws -> [Snapshot] {
            try fetch(FetchDescriptor<T>(), below: query)
        }
        return try open(modelClass(at: query.entityIndex)).filter {
            $0.values.indices.contains(slot) && $0.values[slot] == .reference(owner)
        }.map(\.id).sorted()
    }

    // MARK: Saving

    /// Conflicts are for the store to detect, which knows the changes to its models.
    func conflicts(with changes: ChangeSet) throws -> [Conflict] { [] }

    func write(_ changes: ChangeSet) throws -> SavedRows {
        guard let caller = DataStoreCaller.current else { throw DataStoreProblem.noCaller }
        let request = DataStoreSaveChangesRequest(
            inserted: snapshots(of: changes.insertions.map(\.id), caller.graph),
            updated: snapshots(of: changes.updates.map(\.id), caller.graph),
            deleted: snapshots(of: changes.deletions.map(\.id), caller.graph), editingState: caller.editingState)
        let result = try base.save(request)
        recent = [:]
        // Before anything is recorded: if an identifier is missing, the save has no effect here.
        let ids = try changes.insertions.map { try identifier(of: $0.id, result) }
        var saved = SavedRows(asGiven: changes)
        for (place, (insertion, id)) in zip(changes.insertions, ids).enumerated() {
            replaced[insertion.id.persistent] = id.persistent
            saved.inserted[place].id = id
        }
        for deletion in changes.deletions { versions[deletion.id] = nil }
        noteVersions(saved, changes)
        correct(result)
        return saved
    }

    private func snapshots(of ids: [ObjectID], _ graph: Graph) -> [Base.Snapshot] {
        var related: [PersistentIdentifier: any BackingData] = [:]
        return ids.compactMap { id in
            graph.registeredRecord(for: id).map { record in
                Base.Snapshot(from: backingData(of: record), relatedBackingDatas: &related)
            }
        }
    }

    private func backingData(of record: Record) -> any BackingData {
        func open<T: PersistentModel>(_ type: T.Type) -> any BackingData { DefaultBackingData<T>(record: record) }
        return open(modelClass(at: model.entity(named: record.entity.name)?.index ?? -1))
    }

    private func identifier(
        of temporary: ObjectID, _ result: DataStoreSaveChangesResult<Base.Snapshot>
    ) throws -> ObjectID {
        guard let id = result.remappedIdentifiers[temporary.persistent]?.objectID else {
            throw DataStoreProblem.noIdentifier(temporary)
        }
        guard id.storeIdentifier == base.identifier, id.entityName == temporary.entityName else {
            throw DataStoreProblem.foreignIdentifier(id, store: base.identifier)
        }
        return id
    }

    /// The written values are those read next, under the versions that the graph now has.
    private func noteVersions(_ saved: SavedRows, _ changes: ChangeSet) {
        func note(_ id: ObjectID, _ version: RowVersion, _ values: SlotValues) {
            let values = values.map { value -> Value in
                guard case .reference(let id) = value else { return value }
                return .reference(self.lasting(id.persistent).objectID)
            }
            versions[id] = KnownVersion(version: version, hash: values.hashValue)
        }
        for (row, insertion) in zip(saved.inserted, changes.insertions) { note(row.id, row.version, insertion.values) }
        for (version, update) in zip(saved.updatedVersions, changes.updates) { note(update.id, version, update.values) }
    }

    /// The save is complete whatever these contain: one that cannot be read is logged, and its model is read again.
    private func correct(_ result: DataStoreSaveChangesResult<Base.Snapshot>) {
        for (id, snapshot) in result.snapshotsToReregister {
            let id = lasting(id)
            do {
                guard let kept = try read(snapshot) else { continue }
                corrections.updated.append(row(kept.copy(persistentIdentifier: id)))
            } catch {
                ModelContext.logger.error("A saved model is to be read again. \(String(describing: error))")
                corrections.updatedIDs.append(id.objectID)
            }
        }
    }

    func changesByOthers() throws -> SavedChanges {
        defer { corrections = SavedChanges() }
        return corrections
    }
}

extension ObjectID {
    fileprivate var persistent: PersistentIdentifier { PersistentIdentifier(self) }
}
