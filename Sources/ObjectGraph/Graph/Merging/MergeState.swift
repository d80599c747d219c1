/// The state of merging.
struct MergeState {
    var phase = Phase.none
    /// Whether another merge was requested meanwhile, which is made afterwards.
    var isAskedAgain = false
    /// The number of merges so far.
    var count = 0
    /// Objects with unsaved changes whose rows others have saved, if their new values have not been read.
    var stale: [Record] = []

    enum Phase {
        case none
        /// A merge as an event: hooks run before the changes are applied, and observers are notified afterwards.
        case event
        /// Changes are being applied.
        case applying
    }

    /// Whether changes are being applied.
    var isMerging: Bool { phase == .applying }
}
