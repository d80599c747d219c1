import Foundation
import ObjectGraph

/// Asks for the history of stores, or for a part of it to be forgotten.
nonisolated open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    final let purpose: Purpose
    /// In which form the history is given.
    open var resultType: NSPersistentHistoryResultType = .transactionsAndChanges
    /// Narrows what is given: transactions, or changes, by the entity of the request.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

    enum Purpose {
        case fetch(Start)
        case delete(Start)
    }

    /// A place in the history.
    enum Start {
        case beginning
        case date(Date)
        case token(HistoryToken)
    }

    private init(_ purpose: Purpose) {
        self.purpose = purpose
        super.init()
    }

    /// The place that the request starts from; `nil` when it is another one than a token's.
    open var token: NSPersistentHistoryToken? {
        switch purpose {
        case .fetch(.token(let token)), .delete(.token(let token)): NSPersistentHistoryToken(token)
        default: nil
        }
    }

    // MARK: Reading

    open class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.fetch(.date(date)))
    }

    /// - Parameter token: `nil` for the whole history.
    open class func fetchHistory(after token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.fetch(token.map { .token($0.token) } ?? .beginning))
    }

    /// - Parameter transaction: `nil` for the whole history.
    open class func fetchHistory(
        after transaction: NSPersistentHistoryTransaction?
    ) -> NSPersistentHistoryChangeRequest {
        fetchHistory(after: transaction?.token)
    }

    /// Transactions or changes that pass the predicate of a request, whose entity says which.
    open class func fetchHistory(
        withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
    ) -> NSPersistentHistoryChangeRequest {
        let request = NSPersistentHistoryChangeRequest(.fetch(.beginning))
        request.fetchRequest = fetchRequest
        return request
    }

    // MARK: Forgetting

    /// What comes before the first transaction of that time or later is forgotten.
    open class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.delete(.date(date)))
    }

    /// The token's own transaction stays. Without a token nothing is forgotten. Executing the request throws `CocoaError`
    /// 134301 for a token of other stores, or of a later state of a file than the one that is there; 134040 when only some
    /// stores are done.
    open class func deleteHistory(before token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.delete(token.map { .token($0.token) } ?? .beginning))
    }

    /// The transaction itself stays. Without one nothing is forgotten.
    open class func deleteHistory(
        before transaction: NSPersistentHistoryTransaction?
    ) -> NSPersistentHistoryChangeRequest {
        deleteHistory(before: transaction?.token)
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentHistoryChangeRequest(purpose)
        copy.affectedStores = affectedStores
        copy.resultType = resultType
        copy.fetchRequest = fetchRequest
        return copy
    }

    open override var description: String { "<NSPersistentHistoryChangeRequest: \(purpose)>" }
}

/// In which form history is given.
public enum NSPersistentHistoryResultType: Int, Sendable {
    /// `true`.
    case statusOnly = 0
    /// `[NSManagedObjectID]` of the changed objects.
    case objectIDs = 1
    /// How many transactions.
    case count = 2
    /// `[NSPersistentHistoryTransaction]` without changes.
    case transactionsOnly = 3
    /// `[NSPersistentHistoryChange]`
    case changesOnly = 4
    /// `[NSPersistentHistoryTransaction]`
    case transactionsAndChanges = 5
}

/// The history asked for.
nonisolated open class NSPersistentHistoryResult: NSPersistentStoreResult {
    public let result: Any?
    public let resultType: NSPersistentHistoryResultType

    init(_ result: Any?, _ resultType: NSPersistentHistoryResultType) {
        self.result = result
        self.resultType = resultType
    }
}
