import ObjectGraph

/// The state that a transaction and its changes share.
final class HistorySave: Sendable {
    let transaction: HistoryTransaction
    /// Whether its changes were requested.
    let isWhole: Bool
    let core: CoordinatorCore

    init(_ transaction: HistoryTransaction, isWhole: Bool, _ core: CoordinatorCore) {
        self.transaction = transaction
        self.isWhole = isWhole
        self.core = core
    }
}
