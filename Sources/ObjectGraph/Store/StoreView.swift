/// A group of stores as one context sees it: at the generation that the context is pinned to, and with the context as the
/// caller of stores of a program's own class.
package final class StoreView: Store {
    package let group: StoreGroup
    private let state = Locked(State())

    private struct State: @unchecked Sendable {
        // The caller is used on the thread that uses the context, as all calls of its graph are.
        weak var caller: AnyObject?
        var reads = Reads.newest
    }

    private enum Reads {
        case newest
        /// Pinned with the next read, to what is the newest then.
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

    /// What a view is pinned to.
    package enum Pin {
        /// What is the newest at the next read.
        case next
        case generations(GenerationSet)
    }

    /// `nil` when it is not pinned.
    package var pin: Pin? {
        state.withLock { state in
            switch state.reads {
            case .newest: nil
            case .pinnedNext: .next
            case .pinned(let set): .generations(set)
            }
        }
    }

    /// From the next read on, reads are of what is the newest then.
    package func pinNext() { state.withLock { $0.reads = .pinnedNext } }
    package func pin(to set: GenerationSet) { state.withLock { $0.reads = .pinned(set) } }
    package func unpin() { state.withLock { $0.reads = .newest } }

    /// A pinned view moves on to what is the newest at its next read.
    package func moveOn() {
        state.withLock { state in
            if case .pinned = state.reads { state.reads = .pinnedNext }
        }
    }

    /// Runs what has to see the newest rows; a pinned view has moved on afterwards.
    package func atNewest<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard pin != nil else { return try body() }
        unpin()
        defer { pinNext() }
        return try body()
    }

    /// The stores as they are to be read.
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

    /// Runs what asks the stores.
    func asking<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard group.hasObjectStores, let caller = state.withLock({ $0.caller }) else { return try body() }
        return try StoreCall.with(caller, body)
    }

    // MARK: Store

    package var identifier: String { group.identifier }
    package var model: Model { group.model }
    package var isReadOnly: Bool { group.isReadOnly }
    package var keepsTransients: Bool { false }

    package func save(_ changes: ChangeSet, beforeCommit: () throws -> Void) throws -> SaveResult {
        try asking { try group.save(changes, beforeCommit: beforeCommit) }
    }

    package func changesByOthers() throws -> SavedChanges { try group.changesByOthers() }
}
