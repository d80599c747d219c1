/// A group of stores as seen by one context: at the generation that the context is pinned to, and with the context as
/// the caller of program-defined stores.
package final class StoreView: Store {
    package let group: StoreGroup
    private let state = Locked(State())

    private struct State: @unchecked Sendable {
        // Used only on the thread that uses the context, like all calls of its graph.
        weak var caller: AnyObject?
        var reads = Reads.newest
    }

    private enum Reads {
        case newest
        /// The next read pins the view to the newest state.
        case pinnedNext
        case pinned(GenerationSet)
    }

    /// - Parameter caller: the context.
    package init(_ group: StoreGroup, of caller: AnyObject? = nil) {
        self.group = group
        setCaller(caller)
    }

    package func setCaller(_ caller: AnyObject?) { state.withLock { $0.caller = caller } }

    // MARK: Generations

    /// The state that a view is pinned to.
    package enum Pin {
        /// The newest state at the next read.
        case next
        case generations(GenerationSet)
    }

    /// The pinned state; `nil` if the view is not pinned.
    package var pin: Pin? {
        state.withLock { state in
            switch state.reads {
            case .newest: nil
            case .pinnedNext: .next
            case .pinned(let set): .generations(set)
            }
        }
    }

    /// Pins the view to the newest state at its next read.
    package func pinNext() { state.withLock { $0.reads = .pinnedNext } }
    package func pin(to set: GenerationSet) { state.withLock { $0.reads = .pinned(set) } }
    package func unpin() { state.withLock { $0.reads = .newest } }

    /// Moves a pinned view to the newest state at its next read.
    package func moveOn() {
        state.withLock { state in
            if case .pinned = state.reads { state.reads = .pinnedNext }
        }
    }

    /// Runs a block that must read the newest rows. A pinned view is at a newer state afterwards.
    package func atNewest<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard pin != nil else { return try body() }
        unpin()
        defer { pinNext() }
        return try body()
    }

    /// Returns the stores at the states to read.
    func readers() throws -> [StoreGroup.Member] {
        try state.withLock { state in
            switch state.reads {
            case .newest: return group.members
            case .pinned(let set): return group.members(at: set)
            case .pinnedNext:
                let set = try group.currentGenerations()
                state.reads = .pinned(set)
                return group.members(at: set)
            }
        }
    }

    // MARK: Calling

    /// Runs a block that calls the stores.
    func asking<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard group.hasObjectStores, let caller = state.withLock({ $0.caller }) else { return try body() }
        return try StoreCall.with(caller, body)
    }

    // MARK: Store

    package var identifier: String { group.identifier }
    package var model: Model { group.model }
    package var isReadOnly: Bool { group.isReadOnly }
    package var storesTransients: Bool { false }

    package func save(_ changes: ChangeSet, beforeCommit: () throws -> Void) throws -> SaveResult {
        try asking { try group.save(changes, beforeCommit: beforeCommit) }
    }

    package func changesByOthers() throws -> SavedChanges { try group.changesByOthers() }
}
