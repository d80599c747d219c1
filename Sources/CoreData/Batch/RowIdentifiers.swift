import ObjectGraph

extension CoordinatorCore {
    /// The identifiers of the rows of a set.
    func identifiers(of rows: RowSet) -> [NSManagedObjectID] {
        var ids: [NSManagedObjectID] = []
        ids.reserveCapacity(rows.count)
        for id in rows.ids { ids.append(NSManagedObjectID(id, self)) }
        return ids
    }
}

/// Identifiers of rows that a batch request wrote, made at the first access. Until then they are a set, which takes little
/// memory even for millions of rows.
final class RowIdentifiers: Sendable {
    private let core: CoordinatorCore
    private let state: Locked<State>

    private enum State {
        case rows(RowSet)
        case made([NSManagedObjectID])
    }

    init(_ rows: RowSet, _ core: CoordinatorCore) {
        self.core = core
        state = Locked(.rows(rows))
    }

    var all: [NSManagedObjectID] {
        state.withLock { state in
            switch state {
            case .made(let ids): return ids
            case .rows(let rows):
                let ids = core.identifiers(of: rows)
                state = .made(ids)
                return ids
            }
        }
    }
}
