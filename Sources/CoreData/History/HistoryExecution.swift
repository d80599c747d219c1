import Foundation
import ObjectGraph
import SQLiteStore

/// Carries out a history request, in every store that keeps a history.
struct HistoryExecution {
    let request: NSPersistentHistoryChangeRequest
    let core: CoordinatorCore

    func run() throws -> NSPersistentHistoryResult {
        do {
            switch request.purpose {
            case .fetch(let start): return NSPersistentHistoryResult(try fetched(start), request.resultType)
            case .delete(let bound): return NSPersistentHistoryResult(try deleted(before: bound), request.resultType)
            }
        } catch let error as HistoryError {
            throw mapped(error)
        } catch {
            throw ErrorMapping.reading(error)
        }
    }

    private func mapped(_ error: HistoryError) -> CocoaError {
        switch error {
        case .tokenExpired: CocoaError(.persistentHistoryTokenExpired, text: error.description)
        case .notKept: CocoaError(.persistentStoreOperation, text: error.description)
        }
    }

    private var stores: [SQLiteStore] {
        let wanted = request.affectedStores.map { Set($0.map(\.storeIdentifier)) }
        return core.store.members.compactMap(\.sqlite).filter { wanted?.contains($0.identifier) ?? true }
    }

    // MARK: Reading

    private static let pageSize = 500

    /// Oldest first, of all stores.
    private func transactions(_ start: NSPersistentHistoryChangeRequest.Start) throws -> [HistoryTransaction] {
        var all: [HistoryTransaction] = []
        for store in stores where try store.historyToken() != nil {
            var token: HistoryToken? = if case .token(let token) = start { token } else { nil }
            while true {
                let page = try store.history(after: token, limit: Self.pageSize)
                guard let last = page.last else { break }
                all += page
                token = last.token
            }
        }
        if case .date(let date) = start {
            all.removeAll { $0.timestamp <= date.timeIntervalSinceReferenceDate }
        }
        return all.enumerated().sorted { ($0.element.timestamp, $0.offset) < ($1.element.timestamp, $1.offset) }
            .map(\.element)
    }

    private func fetched(_ start: NSPersistentHistoryChangeRequest.Start) throws -> Any {
        let isWhole = request.resultType != .transactionsOnly
        let found = try transactions(start)
        let wantsChanges = request.fetchRequest?.entityName == HistoryEntities.changeName
        let predicate = request.fetchRequest?.predicate
        var transactions = found.map { NSPersistentHistoryTransaction($0, isWhole: isWhole, core) }
        var changes: [NSPersistentHistoryChange] { transactions.flatMap { $0.changes ?? [] } }
        if let predicate, !wantsChanges { transactions = transactions.filter { predicate.evaluate(with: $0) } }
        let limit = request.fetchRequest?.fetchLimit ?? 0
        if limit > 0, !wantsChanges { transactions = Array(transactions.prefix(limit)) }
        if wantsChanges || request.resultType == .changesOnly {
            let wanted = changes.filter { wantsChanges ? predicate?.evaluate(with: $0) ?? true : true }
            return wantsChanges && limit > 0 ? Array(wanted.prefix(limit)) : wanted
        }
        switch request.resultType {
        case .statusOnly: return true
        case .count: return transactions.count
        case .objectIDs: return changes.map(\.changedObjectID)
        case .transactionsOnly, .changesOnly, .transactionsAndChanges: return transactions
        }
    }

    // MARK: Forgetting

    private func deleted(before bound: NSPersistentHistoryChangeRequest.Start) throws -> Any {
        var count = 0
        for store in stores {
            switch bound {
            case .beginning: continue
            case .date(let date): count += try store.pruneHistory(before: .time(date.timeIntervalSinceReferenceDate))
            case .token(let token): count += try store.pruneHistory(before: .token(token))
            }
        }
        return request.resultType == .count ? count : true
    }
}
