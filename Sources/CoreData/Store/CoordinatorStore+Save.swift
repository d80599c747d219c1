import ObjectGraph
import SQLiteStore

/// One change set, written by the stores it concerns, each with what was set of its metadata.
extension CoordinatorStore {
    /// A store that moves to another file meanwhile is written there.
    func save(_ changes: ChangeSet, beforeCommit: () throws -> Void) throws -> SaveResult {
        try whereverStoresAre { try saveOnce(changes, beforeCommit) }
    }

    /// Runs the body again when a store has moved.
    func whereverStoresAre<Result>(_ body: () throws -> Result) throws -> Result {
        while true {
            let before = members.map { ObjectIdentifier($0.store) }
            do {
                return try body()
            } catch StoreAccessError.moved where members.map({ ObjectIdentifier($0.store) }) != before {
                continue
            }
        }
    }

    private func saveOnce(_ changes: ChangeSet, _ beforeCommit: () throws -> Void) throws -> SaveResult {
        var members = Members(of: self)
        let routing = try ChangeRouting(changes, members)
        try members.refuseReadOnly(routing.shares)
        members.takeMetadata(routing.shares)
        var isSaved = false
        defer { if !isSaved { members.putBackMetadata() } }
        let result = try routing.save(members, beforeCommit: beforeCommit)
        if case .saved = result { isSaved = true }
        return result
    }

    /// Writes changed metadata of stores, where there is nothing else to save. No statement runs for a store without changes.
    /// - Throws: What the store throws; the changed metadata then remains pending until the next save.
    func saveMetadata() throws { try whereverStoresAre { try saveMetadataOnce() } }

    private func saveMetadataOnce() throws {
        for member in members {
            guard let sqlite = member.sqlite, let store = member.persistentStore.store,
                let change = store.takeMetadataChange()
            else { continue }
            do {
                _ = try sqlite.save(ChangeSet(), metadata: change.apply) {}
            } catch {
                store.putBack(change)
                throw error
            }
        }
    }
}

/// The members as they are when a save begins, in the order they are written: those that cannot take back what they wrote
/// come last.
private struct Members: ChangeRouter {
    private let store: CoordinatorStore
    private let list: [CoordinatorStore.Member]
    /// Of those that take part, by place.
    private var metadata: [Int: MetadataChange] = [:]

    init(of store: CoordinatorStore) {
        self.store = store
        list = store.members.sorted { left, right in
            (left.store is ObjectStore ? 1 : 0, left.store.identifier)
                < (right.store is ObjectStore ? 1 : 0, right.store.identifier)
        }
    }

    var places: Range<Int> { list.indices }

    func place(of id: ObjectID, _ entityIndex: Int) throws -> Int {
        let entity = store.model[entityIndex]
        let member = try store.member(of: id, entity)
        guard let place = list.firstIndex(where: { $0.store === member.store }) else {
            throw CoordinatorStoreError.noStore(entity: entity.name)
        }
        return place
    }

    func index(_ entityIndex: Int, at place: Int) throws -> Int { try list[place].index(entityIndex) }

    func isReadOnly(at place: Int) -> Bool { list[place].store.isReadOnly }

    func shares(of request: DeleteRequest) throws -> [(place: Int, request: DeleteRequest)] {
        throw StoreCapabilityError.deletesNoSets(store: store.identifier)
    }

    func refuseReadOnly(_ shares: [ChangeShare]) throws {
        for share in shares where isReadOnly(at: share.place) {
            let entity = share.entityIndexes.min().map { list[share.place].store.model[$0].name }
            throw CoordinatorStoreError.readOnly(entity: entity ?? "")
        }
    }

    // MARK: Metadata

    mutating func takeMetadata(_ shares: [ChangeShare]) {
        for share in shares {
            metadata[share.place] = list[share.place].persistentStore.store?.takeMetadataChange()
        }
    }

    func putBackMetadata() {
        for (place, change) in metadata { list[place].persistentStore.store?.putBack(change) }
    }

    func save(_ share: ChangeShare, beforeCommit: () throws -> Void) throws -> SaveResult {
        let member = list[share.place]
        guard let metadata = metadata[share.place], let sqlite = member.sqlite else {
            return try member.store.save(share.changes, beforeCommit: beforeCommit)
        }
        return try sqlite.save(share.changes, metadata: metadata.apply, beforeCommit: beforeCommit)
    }
}
