/// The state of merging.
struct MergeState {
    /// Whether a merge has begun and its observers have not all been notified; only if events are collected.
    var isInEvent = false
    /// Whether changes are being applied.
    var isMerging = false
    /// Whether another merge was requested meanwhile, which is made afterwards.
    var isAskedAgain = false
    /// The number of merges so far.
    var count = 0
    /// Objects with unsaved changes whose rows others have saved, if their new values have not been read.
    var stale: [Record] = []
}
