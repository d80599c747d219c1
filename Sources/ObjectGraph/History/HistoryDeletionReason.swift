/// Why transactions of a history are deleted.
package enum HistoryDeletionReason: Sendable {
    /// For their place or time: a reader that has not come so far has to begin anew.
    case place
    /// For what they are, such as their author: readers go on past them.
    case choice
}

extension HistoryTest {
    /// Why transactions that pass are deleted.
    package var deletionReason: HistoryDeletionReason { isOfPlaces ? .place : .choice }

    /// Whether it asks for nothing but where in the history a transaction is.
    private var isOfPlaces: Bool {
        switch self {
        case .constant, .number, .token, .time, .store: true
        case .text, .changed: false
        case .and(let parts), .or(let parts): parts.allSatisfy(\.isOfPlaces)
        case .not(let part): part.isOfPlaces
        }
    }
}
