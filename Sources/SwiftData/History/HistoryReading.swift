import Foundation
import ObjectGraph

/// Evaluates a descriptor in every store of a container that keeps a history.
struct HistoryReading {
    private let core: ContainerCore
    private let predicate: HistoryPredicate
    private let sortBy: [SortDescriptor<DefaultHistoryTransaction>]
    /// `nil` for no limit.
    private let limit: Int?

    init(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>, _ core: ContainerCore) {
        self.core = core
        predicate = HistoryPredicate(descriptor.predicate)
        sortBy = descriptor.sortBy
        limit = descriptor.fetchLimit == 0 ? nil : Int(clamping: descriptor.fetchLimit)
    }

    // MARK: Fetching

    func fetch() throws -> [DefaultHistoryTransaction] {
        let stores = try core.storesWithHistory()
        for token in predicate.test.startingTokens { try token.check(against: stores.map(\.identifier)) }
        let histories = try stores.map { store in
            predicate.isExact
                ? try store.wholeHistory(HistoryQuery(where: predicate.test), most: sortBy.isEmpty ? limit : nil)
                : try store.wholeHistory(HistoryQuery(where: predicate.test)).filter(passes)
        }
        let all = placed(ObjectGraph.HistoryTransaction.chronological(histories))
        let sorted = sortBy.isEmpty ? all : all.sorted(using: sortBy)
        return limit.map { Array(sorted.prefix($0)) } ?? sorted
    }

    /// The transactions with tokens that have a position in every store read so far, so that reading on from one misses
    /// nothing of the other stores.
    private func placed(_ transactions: [ObjectGraph.HistoryTransaction]) -> [DefaultHistoryTransaction] {
        var token = startingToken
        return transactions.map { transaction in
            token = token.merged(with: transaction.token)
            return DefaultHistoryTransaction(transaction, token: token, core)
        }
    }

    /// The token that the descriptor reads on from.
    private var startingToken: ObjectGraph.HistoryToken {
        predicate.test.startingTokens.reduce(ObjectGraph.HistoryToken([:])) { $0.merged(with: $1) }
    }

    /// Compares each transaction with tokens by its position in its own store.
    private func passes(_ transaction: ObjectGraph.HistoryTransaction) throws -> Bool {
        var numbers = startingToken.numbers
        numbers[transaction.storeIdentifier] = transaction.number
        let token = ObjectGraph.HistoryToken(numbers)
        return try predicate.test.holds(transaction)
            && predicate.holds(DefaultHistoryTransaction(transaction, token: token, core))
    }

    // MARK: Deleting

    func delete() throws {
        let stores = try core.storesWithHistory()
        if predicate.isExact, limit == nil {
            for store in stores { try store.pruneHistory(where: predicate.test) }
            return
        }
        let gone = Dictionary(grouping: try fetch(), by: \.storeIdentifier)
        let reason = predicate.isExact ? predicate.test.deletionReason : .choice
        for store in stores {
            let numbers = (gone[store.identifier] ?? []).map(\.transactionIdentifier)
            try store.pruneHistory(numbered: numbers, reason)
        }
    }
}
