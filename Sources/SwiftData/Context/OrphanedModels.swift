import Logging
import ObjectGraph

/// Serves models that outlive their context. They read from the store through the container, as long as it exists; the
/// first read or edit that fails is logged, once for all models of the context.
final class OrphanedModels: RowLender, EmptyReadReporting {
    private struct State {
        weak var core: ContainerCore?
        var isReported = false
    }

    private let state: Locked<State>

    init(_ core: ContainerCore) { state = Locked(State(core: core)) }

    func snapshot(of id: ObjectID) throws -> Snapshot? {
        guard let core = state.withLock({ $0.core }) else {
            report("\(id) reads as empty, as its container is gone")
            throw OrphanError.containerGone
        }
        do {
            let found = try core.store.snapshots(of: [id]).first
            if found == nil { report("\(id) reads as empty, as its row is gone") }
            return found
        } catch {
            report("\(id) reads as empty, as its row cannot be read: \(String(describing: error))")
            throw error
        }
    }

    func willNotSave(_ id: ObjectID) { report("An edit of \(id) will not be saved") }

    func readsEmpty(_ relationship: String, of id: ObjectID) {
        report("'\(id.entityName).\(relationship)' of \(id) reads as empty")
    }

    private func report(_ text: String) {
        let isFirst = state.withLock { state in
            defer { state.isReported = true }
            return !state.isReported
        }
        guard isFirst else { return }
        Logger(label: ModelContext.logger.label).error(
            "\(text). The context of the model is gone: keep a context for as long as its models are used.")
    }
}

private enum OrphanError: Error {
    case containerGone
}
