/// The contexts that merge a deletion that no context carried out.
package enum DeletionAudience: Sendable {
    /// None; only observers of the stores are notified.
    case observers
    /// Every live context, and observers of the stores.
    case liveContexts
}
