/// Which transactions of a store's history to read, and how much of each. They come in their order.
package struct HistoryQuery: Sendable, Hashable {
    /// The last transaction that is known; `nil` (and a token that does not know the store) for all.
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
