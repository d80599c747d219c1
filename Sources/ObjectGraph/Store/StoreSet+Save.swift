/// One change set, written by several stores.
extension StoreSet {
    package func save(_ changes: ChangeSet, beforeCommit: () throws -> Void) throws -> SaveResult {
        let routing = try ChangeRouting(changes, self)
        try refuseReadOnly(routing.shares)
        return try routing.save(self, beforeCommit: beforeCommit)
    }

    private func refuseReadOnly(_ shares: [ChangeShare]) throws {
        let refused = shares.filter { isReadOnly(at: $0.place) }
        guard !refused.isEmpty else { return }
        throw StoreSetError.readOnly(entities: Set(refused.flatMap(entityNames)).sorted())
    }

    /// Of the entities that a share changes.
    private func entityNames(_ share: ChangeShare) -> [String] {
        let own = members[share.place].store.model
        return share.entityIndexes.map { own[$0].name }
            + share.changes.plannedDeletes.flatMap { request -> [String] in
                switch request.roots {
                case .matching(let query): [own[query.entityIndex].name]
                case .rows(let rows): rows.keysBySpace.keys.map(\.entityName)
                case .everything: own.entities.map(\.name)
                }
            }
    }
}

extension StoreSet: ChangeRouter {
    package var places: Range<Int> { members.indices }

    package func place(of id: ObjectID, _ entityIndex: Int) throws -> Int { try place(entityIndex) }

    package func index(_ entityIndex: Int, at place: Int) throws -> Int {
        try members[place].numbers.index(entityIndex)
    }

    package func isReadOnly(at place: Int) -> Bool { members[place].store.isReadOnly }

    package func shares(of request: DeleteRequest) throws -> [(place: Int, request: DeleteRequest)] {
        try shares(request).map { ($0.place, $0.request) }
    }

    package func save(_ share: ChangeShare, beforeCommit: () throws -> Void) throws -> SaveResult {
        try members[share.place].store.save(share.changes, beforeCommit: beforeCommit)
    }
}
