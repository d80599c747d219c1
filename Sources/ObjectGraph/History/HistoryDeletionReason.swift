/// The reason for deleting transactions of a history.
package enum HistoryDeletionReason: Sendable {
    /// Their position or time: tokens before them expire.
    case place
    /// Other properties, such as their author: readers skip them.
    case choice
}

extension HistoryTest {
    /// The reason for deleting transactions that pass the test.
    package var deletionReason: HistoryDeletionReason { isOfPlaces ? .place : .choice }

    /// Whether the test depends only on the positions of transactions in the history.
    private var isOfPlaces: Bool {
        switch self {
        case .constant, .number, .token, .time, .store: true
        case .text, .changed: false
        case .and(let parts), .or(let parts): parts.allSatisfy(\.isOfPlaces)
        case .not(let part): part.isOfPlaces
        }
    }
}
