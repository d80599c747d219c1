/// A history token: a position in the history of one or several stores, as the number of the last transaction that has been
/// read, by store. Can be stored across launches; the bytes of an archived token are JSON.
package struct HistoryToken: Sendable, Hashable {
    /// By `Store.identifier`; never negative.
    package let numbers: [String: Int64]

    /// - Parameter numbers: Negative ones are left out.
    package init(_ numbers: [String: Int64]) {
        self.numbers = numbers.filter { $0.value >= 0 }
    }

    /// - Returns: `nil` for a store that the token does not have, whose history must be read from its beginning.
    package func number(of storeIdentifier: String) -> Int64? { numbers[storeIdentifier] }

    /// Checks that the token has at least one of the stores. Additional stores are no reason to read all history again,
    /// and a token without any store is a beginning.
    /// - Parameter stores: The identifiers of the stores.
    /// - Throws: `HistoryError.tokenOfOthers`.
    package func check(against stores: some Sequence<String>) throws(HistoryError) {
        if numbers.isEmpty || stores.contains(where: { numbers[$0] != nil }) { return }
        throw .tokenOfOthers(stores: numbers.keys.sorted())
    }

    /// Returns the later position in each store.
    package func merged(with other: HistoryToken) -> HistoryToken {
        HistoryToken(numbers.merging(other.numbers, uniquingKeysWith: max))
    }
}

/// A history token is encoded as its numbers, by store identifier. The bytes of an archived token are their JSON.
extension HistoryToken: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([String: Int64].self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(numbers)
    }
}

extension HistoryToken: Comparable {
    /// Orders tokens of one store by their numbers. With several stores, the first different one (by identifier)
    /// decides; a missing store precedes all of its transactions.
    package static func < (lhs: HistoryToken, rhs: HistoryToken) -> Bool {
        for store in Set(lhs.numbers.keys).union(rhs.numbers.keys).sorted() {
            let (left, right) = (lhs.numbers[store] ?? -1, rhs.numbers[store] ?? -1)
            if left != right { return left < right }
        }
        return false
    }
}
