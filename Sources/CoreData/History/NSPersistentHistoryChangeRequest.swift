import Foundation
import ObjectGraph

/// A request that reads the history of stores, or deletes a part of it. Execute it with a context's `execute(_:)`.
nonisolated open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    final let purpose: Purpose
    /// The form in which the history is returned: transactions with their changes, unless set.
    open var resultType: NSPersistentHistoryResultType = .transactionsAndChanges
    /// A request that selects transactions or changes, depending on its entity; `nil`, unless set, for all.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

    enum Purpose {
        case fetch(Start)
        case delete(Start)
    }

    /// A position in the history.
    enum Start {
        case beginning
        case date(Date)
        case token(HistoryToken)
    }

    private init(_ purpose: Purpose) {
        self.purpose = purpose
        super.init()
    }

    /// The token that the request starts from; `nil` for a request that starts from a date or the beginning.
    open var token: NSPersistentHistoryToken? {
        switch purpose {
        case .fetch(.token(let token)), .delete(.token(let token)): NSPersistentHistoryToken(token)
        default: nil
        }
    }

    // MARK: Reading

    /// Returns a request for the history after a date.
    /// - Parameter date: transactions with a later time are read.
    open class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.fetch(.date(date)))
    }

    /// Returns a request for the history after a token.
    /// - Parameter token: the token; `nil` for the whole history.
    open class func fetchHistory(after token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.fetch(token.map { .token($0.token) } ?? .beginning))
    }

    /// Returns a request for the history after a transaction.
    /// - Parameter transaction: the transaction; `nil` for the whole history.
    open class func fetchHistory(
        after transaction: NSPersistentHistoryTransaction?
    ) -> NSPersistentHistoryChangeRequest {
        fetchHistory(after: transaction?.token)
    }

    /// Returns a request for the transactions or changes that another request selects.
    /// - Parameter fetchRequest: the `fetchRequest` of `NSPersistentHistoryTransaction` or `NSPersistentHistoryChange` with a
    ///   predicate.
    open class func fetchHistory(
        withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
    ) -> NSPersistentHistoryChangeRequest {
        let request = NSPersistentHistoryChangeRequest(.fetch(.beginning))
        request.fetchRequest = fetchRequest
        return request
    }

    // MARK: Deleting

    /// Returns a request that deletes the history before the first transaction of a date or later.
    /// - Parameter date: the date.
    open class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.delete(.date(date)))
    }

    /// Returns a request that deletes the history before a token; the token's own transaction stays.
    ///
    /// Executing it throws `CocoaError` 134301 for a token of other stores, or of a later state of a file than the existing
    /// one, and 134040 when only some stores are done.
    /// - Parameter token: the token; with `nil` nothing is deleted.
    open class func deleteHistory(before token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.delete(token.map { .token($0.token) } ?? .beginning))
    }

    /// Returns a request that deletes the history before a transaction; the transaction itself stays.
    /// - Parameter transaction: the transaction; with `nil` nothing is deleted.
    open class func deleteHistory(
        before transaction: NSPersistentHistoryTransaction?
    ) -> NSPersistentHistoryChangeRequest {
        deleteHistory(before: transaction?.token)
    }

    /// Returns a copy of the request.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentHistoryChangeRequest(purpose)
        copy.affectedStores = affectedStores
        copy.resultType = resultType
        copy.fetchRequest = fetchRequest
        return copy
    }

    /// A text with the purpose of the request.
    open override var description: String { "<NSPersistentHistoryChangeRequest: \(purpose)>" }
}

/// The forms in which history is returned.
public enum NSPersistentHistoryResultType: Int, Sendable {
    /// The result is `true`.
    case statusOnly = 0
    /// The result is an array of the identifiers of the changed objects, `[NSManagedObjectID]`.
    case objectIDs = 1
    /// The result is the number of transactions, of changes for a request that selects changes, or of deleted transactions.
    case count = 2
    /// The result is an array of transactions without their changes.
    case transactionsOnly = 3
    /// The result is an array of changes, `[NSPersistentHistoryChange]`.
    case changesOnly = 4
    /// The result is an array of transactions with their changes.
    case transactionsAndChanges = 5
}

/// The result of a history request.
nonisolated open class NSPersistentHistoryResult: NSPersistentStoreResult {
    /// The history in the form of ``resultType``.
    public let result: Any?
    /// The form of the result, from the request.
    public let resultType: NSPersistentHistoryResultType

    init(_ result: Any?, _ resultType: NSPersistentHistoryResultType) {
        self.result = result
        self.resultType = resultType
    }
}
