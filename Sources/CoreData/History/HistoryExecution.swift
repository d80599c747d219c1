import Foundation
import ObjectGraph

/// Carries out a history request in every store that keeps a history.
struct HistoryExecution {
    let request: NSPersistentHistoryChangeRequest
    let core: CoordinatorCore

    func run() throws -> NSPersistentHistoryResult {
        do {
            switch request.purpose {
            case .fetch(let start): return NSPersistentHistoryResult(try fetched(start), request.resultType)
            case .delete(let bound): return NSPersistentHistoryResult(try deleted(before: bound), request.resultType)
            }
        } catch {
            throw ErrorMapping.history(error)
        }
    }

    private var stores: [any HistoryRecording] {
        let wanted = request.affectedStores.map { Set($0.map(\.storeIdentifier)) }
        return core.stores.members.compactMap(\.store.historyRecording).filter {
            wanted?.contains($0.identifier) ?? true
        }
    }

    // MARK: Reading

    /// Whether the request's predicate, order and limit apply to changes.
    private var picksChanges: Bool { request.fetchRequest?.entityName == HistoryEntities.changeName }

    private func fetched(_ start: NSPersistentHistoryChangeRequest.Start) throws -> Any {
        try checkTokens(start)
        let histories = try stores.map { try transactions(of: $0, start) }
        let found = HistoryTransaction.chronological(histories).map {
            NSPersistentHistoryTransaction(HistorySave($0, isWhole: picksChanges || detail == .withChanges, core))
        }
        return picksChanges ? try result(ofChanges: found) : result(of: found)
    }

    private func checkTokens(_ start: NSPersistentHistoryChangeRequest.Start) throws {
        let known = core.stores.members.map(\.identifier)
        if case .token(let token) = start { try token.check(against: known) }
        guard !picksChanges else { return }
        for token in try HistoryPredicate(request.fetchRequest?.predicate).test.startingTokens {
            try token.check(against: known)
        }
    }

    private func result(of found: [NSPersistentHistoryTransaction]) -> Any {
        let transactions: [NSPersistentHistoryTransaction] = arranged(found)
        switch request.resultType {
        case .statusOnly: return true
        case .count: return transactions.count
        case .objectIDs: return Self.changes(of: transactions).map(\.changedObjectID)
        case .changesOnly: return Self.changes(of: transactions)
        case .transactionsOnly, .transactionsAndChanges: return transactions
        }
    }

    private func result(ofChanges found: [NSPersistentHistoryTransaction]) throws -> Any {
        let predicate = try HistoryPredicate(request.fetchRequest?.predicate)
        let changes: [NSPersistentHistoryChange] = arranged(Self.changes(of: found).filter(predicate.holds))
        switch request.resultType {
        case .statusOnly: return true
        case .count: return changes.count
        case .objectIDs: return changes.map(\.changedObjectID)
        case .changesOnly: return changes
        case .transactionsOnly, .transactionsAndChanges: return transactions(of: changes, found)
        }
    }

    /// The transactions of the changes, in order, each with only these changes.
    private func transactions(
        of changes: [NSPersistentHistoryChange], _ found: [NSPersistentHistoryTransaction]
    ) -> [NSPersistentHistoryTransaction] {
        let wanted = Set(changes.map(ObjectIdentifier.init))
        return found.compactMap { transaction in
            let numbers = (transaction.changes ?? []).filter { wanted.contains(ObjectIdentifier($0)) }.map(\.changeID)
            return numbers.isEmpty ? nil : transaction.keeping(Set(numbers), detail)
        }
    }

    private static func changes(of transactions: [NSPersistentHistoryTransaction]) -> [NSPersistentHistoryChange] {
        transactions.flatMap { $0.changes ?? [] }
    }

    private var detail: HistoryQuery.Detail {
        switch request.resultType {
        case .objectIDs, .changesOnly, .transactionsAndChanges: .withChanges
        case .statusOnly, .count, .transactionsOnly: .withoutChanges
        }
    }

    /// The transactions of one store, in order, that satisfy the request's predicate, or that may have a change that does.
    private func transactions(
        of store: any HistoryRecording, _ start: NSPersistentHistoryChangeRequest.Start
    ) throws -> [HistoryTransaction] {
        let predicate = try HistoryPredicate(request.fetchRequest?.predicate, storeIdentifier: store.identifier)
        if picksChanges { return try store.wholeHistory(query(start, predicate.testOfChanges, .withChanges)) }
        guard !predicate.isExact else {
            return try store.wholeHistory(query(start, predicate.test, detail), most: mostTransactions)
        }
        return try store.wholeHistory(query(start, predicate.test, .withChanges)).filter {
            predicate.holds(NSPersistentHistoryTransaction(HistorySave($0, isWhole: true, core)))
        }
    }

    private func query(
        _ start: NSPersistentHistoryChangeRequest.Start, _ test: HistoryTest, _ detail: HistoryQuery.Detail
    ) -> HistoryQuery {
        switch start {
        case .beginning: HistoryQuery(where: test, detail)
        case .token(let token): HistoryQuery(after: token, where: test, detail)
        case .date(let date):
            HistoryQuery(where: .and([.time(.greater, date.timeIntervalSinceReferenceDate), test]), detail)
        }
    }

    /// The maximum number that each store must return; `nil` for all, if they are sorted first.
    private var mostTransactions: Int? {
        guard let fetch = request.fetchRequest, !picksChanges, fetch.fetchLimit > 0,
            fetch.sortDescriptors?.isEmpty ?? true
        else { return nil }
        let (count, isTooMany) = fetch.fetchLimit.addingReportingOverflow(max(0, fetch.fetchOffset))
        return isTooMany ? nil : count
    }

    /// Applies the request's order, offset and limit; without an order, the oldest come first.
    private func arranged<Element>(_ all: [Element]) -> [Element] {
        guard let fetch = request.fetchRequest else { return all }
        let sorted = (fetch.sortDescriptors ?? []).reversed().reduce(all) { list, descriptor in
            list.sorted { descriptor.compare($0, to: $1) == .orderedAscending }
        }
        let rest = sorted.dropFirst(max(0, fetch.fetchOffset))
        return Array(fetch.fetchLimit > 0 ? rest.prefix(fetch.fetchLimit) : rest)
    }

    // MARK: Deleting

    /// Each store is written in a transaction of its own, and none if one of them refuses.
    private func deleted(before start: NSPersistentHistoryChangeRequest.Start) throws -> Any {
        try checkTokens(start)
        let stores = stores
        var count = 0
        if let bound = start.bound {
            for store in stores { try store.checkPruning(before: bound) }
            for (place, store) in stores.enumerated() {
                do {
                    count += try store.pruneHistory(before: bound)
                } catch {
                    throw CocoaError.incomplete(ErrorMapping.history(error), after: place, of: stores.count)
                }
            }
        }
        return request.resultType == .count ? count : true
    }
}

extension NSPersistentHistoryChangeRequest.Start {
    /// `nil` for the beginning, before which there is no history.
    fileprivate var bound: HistoryBound? {
        switch self {
        case .beginning: nil
        case .date(let date): .time(date.timeIntervalSinceReferenceDate)
        case .token(let token): .token(token)
        }
    }
}
