/// How far merging is.
struct MergeState {
    /// Whether changes of the inbox are being taken in.
    var isMerging = false
    /// Objects with unsaved work whose rows others have saved meanwhile, as far as their values are not at hand.
    var stale: [Record] = []
}
