/// A place in the history of one or several stores, to read on from: by store, the number of the last transaction that
/// has been read. May be kept across launches.
package struct HistoryToken: Sendable, Hashable {
    /// By `Store.identifier`; never negative.
    package let numbers: [String: Int64]

    /// - Parameter numbers: negative ones are left out.
    package init(_ numbers: [String: Int64]) {
        self.numbers = numbers.filter { $0.value >= 0 }
    }

    /// - Returns: `nil` for a store that the token knows nothing of, whose history is to be read from its beginning.
    package func number(of storeIdentifier: String) -> Int64? { numbers[storeIdentifier] }

    /// A token is good for stores of which it knows one; to have others added is no reason to read all again. One that
    /// knows no store at all is a beginning.
    /// - Parameter stores: identifiers.
    /// - Throws: `HistoryError.tokenOfOthers`.
    package func check(against stores: some Sequence<String>) throws(HistoryError) {
        if numbers.isEmpty || stores.contains(where: { numbers[$0] != nil }) { return }
        throw .tokenOfOthers(stores: numbers.keys.sorted())
    }

    /// For several stores: the later place in each.
    package func merged(with other: HistoryToken) -> HistoryToken {
        HistoryToken(numbers.merging(other.numbers, uniquingKeysWith: max))
    }
}

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
    /// Tokens of one store compare by their numbers. With several, the first store (by identifier) in which they differ
    /// decides; one that is absent comes before all of its transactions.
    package static func < (lhs: HistoryToken, rhs: HistoryToken) -> Bool {
        for store in Set(lhs.numbers.keys).union(rhs.numbers.keys).sorted() {
            let (left, right) = (lhs.numbers[store] ?? -1, rhs.numbers[store] ?? -1)
            if left != right { return left < right }
        }
        return false
    }
}
