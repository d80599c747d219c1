/// Selects transactions of a store's history, and which of their parts to read. They are read in order.
package struct HistoryQuery: Sendable, Hashable {
    /// The last known transaction; `nil` (or a token without the store) for all.
    package var after: HistoryToken?
    package var test: HistoryTest
    package var detail: Detail

    package enum Detail: Sendable, Hashable {
        case withoutChanges
        case withChanges
    }

    package init(
        after token: HistoryToken? = nil, where test: HistoryTest = .constant(true), _ detail: Detail = .withChanges
    ) {
        after = token
        self.test = test
        self.detail = detail
    }
}
