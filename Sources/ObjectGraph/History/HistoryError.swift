/// History that cannot be read.
package enum HistoryError: Error, Hashable {
    case historyNotRecorded(store: String)
    /// Transactions after the token's have been deleted, or the token is of a later state than the store's.
    case tokenExpired(store: String, number: Int64)
    /// The token is only for these stores, none of which is read.
    case tokenOfOthers(stores: [String])
}

extension HistoryError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .historyNotRecorded(let store):
            "Store \(store) keeps no history; make it with history to read any."
        case .tokenExpired(let store, let number):
            "The history of store \(store) does not go on from transaction \(number): what followed has been pruned, or "
                + "the store was restored from a copy. Read all objects again, and take a new token."
        case .tokenOfOthers(let stores):
            "The token is of store \(stores.prefix(5).joined(separator: ", ")), which is not there any more: it was replaced, "
                + "or the token is another program's. Read all objects again, and take a new token."
        }
    }
}
