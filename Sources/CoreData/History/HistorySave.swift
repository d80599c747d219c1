import ObjectGraph

/// What a transaction and its changes have in common.
final class HistorySave: Sendable {
    let transaction: HistoryTransaction
    /// Whether its changes are wanted.
    let isWhole: Bool
    let core: CoordinatorCore

    init(_ transaction: HistoryTransaction, isWhole: Bool, _ core: CoordinatorCore) {
        self.transaction = transaction
        self.isWhole = isWhole
        self.core = core
    }
}
