import Foundation
import ObjectGraph
import PredicateFormat

/// One save of a store, or one batch request, as its history tells it.
nonisolated open class NSPersistentHistoryTransaction: NSObject, NSCopying {
    let save: HistorySave
    private let madeChanges = Locked<[NSPersistentHistoryChange]?>(nil)
    private var transaction: HistoryTransaction { save.transaction }
    private var core: CoordinatorCore { save.core }

    init(_ save: HistorySave) { self.save = save }

    /// What it did, in order; `nil` where only transactions were asked for.
    open var changes: [NSPersistentHistoryChange]? {
        guard save.isWhole else { return nil }
        return madeChanges.withLock { made in
            let changes = made ?? transaction.changes.map { NSPersistentHistoryChange($0, of: self) }
            made = changes
            return changes
        }
    }

    /// The same without the changes that have other numbers; with `withoutChanges`, `changes` is `nil`.
    final func keeping(_ numbers: Set<Int64>, _ detail: HistoryQuery.Detail) -> NSPersistentHistoryTransaction {
        var part = transaction
        part.changes = part.changes.filter { numbers.contains($0.number) }
        return NSPersistentHistoryTransaction(HistorySave(part, isWhole: detail == .withChanges, core))
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentHistoryTransaction else { return false }
        return storeID == other.storeID && transactionNumber == other.transactionNumber
    }

    open override var hash: Int { transactionNumber.hashValue }

    /// By the clock of the machine that saved.
    open var timestamp: Date { Date(timeIntervalSinceReferenceDate: transaction.timestamp) }
    /// Rises from transaction to transaction within a store.
    open var transactionNumber: Int64 { transaction.number }
    open var storeID: String { transaction.storeIdentifier }
    open var bundleID: String { transaction.bundleID ?? "" }
    open var processID: String { transaction.processID ?? "" }
    open var contextName: String? { transaction.contextName }
    open var author: String? { transaction.author }
    /// What comes after it comes after this transaction.
    open var token: NSPersistentHistoryToken { NSPersistentHistoryToken(transaction.token) }

    /// What `mergeChanges(fromContextDidSave:)` takes.
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

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// What requests for transactions by predicate are made with.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = entityDescription
        return request
    }

    /// Names the transactions in a request; it is in no model.
    open class var entityDescription: NSEntityDescription? { HistoryEntities.transaction() }

    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        entityDescription
    }

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
