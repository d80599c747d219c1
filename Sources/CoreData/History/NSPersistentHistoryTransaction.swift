import Foundation
import ObjectGraph
import PredicateFormat

/// A transaction in the history of a store: one save, batch request or deletion.
nonisolated open class NSPersistentHistoryTransaction: NSObject, NSCopying {
    let save: HistorySave
    private let madeChanges = Locked<[NSPersistentHistoryChange]?>(nil)
    private var transaction: HistoryTransaction { save.transaction }
    private var core: CoordinatorCore { save.core }

    init(_ save: HistorySave) { self.save = save }

    /// The changes of the transaction, in order; `nil` if only transactions were requested.
    open var changes: [NSPersistentHistoryChange]? {
        guard save.isWhole else { return nil }
        return madeChanges.withLock { made in
            let changes = made ?? transaction.changes.map { NSPersistentHistoryChange($0, of: self) }
            made = changes
            return changes
        }
    }

    /// The transaction with only the changes of these numbers; with `withoutChanges`, `changes` is `nil`.
    final func keeping(_ numbers: Set<Int64>, _ detail: HistoryQuery.Detail) -> NSPersistentHistoryTransaction {
        var part = transaction
        part.changes = part.changes.filter { numbers.contains($0.number) }
        return NSPersistentHistoryTransaction(HistorySave(part, isWhole: detail == .withChanges, core))
    }

    /// Returns whether another transaction has the same number in the same store.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentHistoryTransaction else { return false }
        return storeID == other.storeID && transactionNumber == other.transactionNumber
    }

    /// A hash of the number.
    open override var hash: Int { transactionNumber.hashValue }

    /// The time of the transaction, by the clock of the machine that saved.
    open var timestamp: Date { Date(timeIntervalSinceReferenceDate: transaction.timestamp) }
    /// The number of the transaction, which increases from transaction to transaction within a store.
    open var transactionNumber: Int64 { transaction.number }
    /// The identifier of the store.
    open var storeID: String { transaction.storeIdentifier }
    /// The bundle identifier of the program that saved; empty if the file does not state it.
    open var bundleID: String { transaction.bundleID ?? "" }
    /// The name of the process that saved; empty if the file does not state it.
    open var processID: String { transaction.processID ?? "" }
    /// The name of the context that saved.
    open var contextName: String? { transaction.contextName }
    /// The `transactionAuthor` of the context that saved.
    open var author: String? { transaction.author }
    /// The position of the transaction: history after the token begins with the next transaction.
    open var token: NSPersistentHistoryToken { NSPersistentHistoryToken(transaction.token) }

    /// Returns a notification with the identifiers of the changed objects, for `mergeChanges(fromContextDidSave:)`.
    open func objectIDNotification() -> Notification {
        var sets: [String: Set<NSManagedObjectID>] = [:]
        for change in transaction.changes {
            let key =
                switch change.kind {
                case .insert: NSInsertedObjectIDsKey
                case .update: NSUpdatedObjectIDsKey
                case .delete: NSDeletedObjectIDsKey
                }
            sets[key, default: []].insert(NSManagedObjectID(change.id, core))
        }
        return Notification(name: .NSManagedObjectContextDidSaveObjectIDs, object: nil, userInfo: sets)
    }

    /// Returns the transaction itself, which is constant.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A request for transactions, to be given a predicate and passed to `fetchHistory(withFetch:)`.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = entityDescription
        return request
    }

    /// The entity that stands for transactions in a request; it is in no model.
    open class var entityDescription: NSEntityDescription? { HistoryEntities.transaction() }

    /// Returns the entity that stands for transactions in a request.
    /// - Parameter context: has no effect.
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        entityDescription
    }

    /// A text with the number, store and author.
    open override var description: String {
        "<NSPersistentHistoryTransaction: \(transactionNumber) of \(storeID), author \(author ?? "none")>"
    }
}

extension NSPersistentHistoryTransaction: KeyValueReadable {
    package func readValue(forKey key: String) -> Any? {
        switch key {
        case "author": author
        case "bundleID": bundleID
        case "contextName": contextName
        case "processID": processID
        case "timestamp": timestamp
        case "token": transaction.number
        case "transactionNumber": transactionNumber
        default: nil
        }
    }
}
