import Foundation
import ObjectGraph
import PredicateFormat

/// The kinds of changes in the history.
public enum NSPersistentHistoryChangeType: Int, Sendable {
    /// The object was inserted.
    case insert = 0
    /// The object was updated.
    case update = 1
    /// The object was deleted.
    case delete = 2
}

/// A change of one object in a transaction of the history.
nonisolated open class NSPersistentHistoryChange: NSObject, NSCopying {
    private let change: HistoryChange
    private let table: EntityTable?
    private let core: CoordinatorCore
    private let save: HistorySave
    /// The transaction while the program holds it.
    private weak var heldTransaction: NSPersistentHistoryTransaction?

    /// The transaction of the change.
    open var transaction: NSPersistentHistoryTransaction? {
        heldTransaction ?? NSPersistentHistoryTransaction(save)
    }

    init(_ change: HistoryChange, of transaction: NSPersistentHistoryTransaction) {
        self.change = change
        save = transaction.save
        heldTransaction = transaction
        core = save.core
        table = core.tables.table(named: change.id.entityName)
    }

    /// The number of the change, which increases from change to change within a store.
    open var changeID: Int64 { change.number }

    /// The identifier of the changed object.
    open var changedObjectID: NSManagedObjectID { NSManagedObjectID(change.id, core) }

    /// The kind of change.
    open var changeType: NSPersistentHistoryChangeType {
        switch change.kind {
        case .insert: .insert
        case .update: .update
        case .delete: .delete
        }
    }

    /// Values of a deleted object: the attributes that the model preserves in the history; `nil` if there are none.
    open var tombstone: [AnyHashable: Any]? {
        guard case .delete(let tombstone) = change.kind, !tombstone.values.isEmpty else { return nil }
        var values: [AnyHashable: Any] = [:]
        for (name, value) in tombstone.values {
            guard case .attribute(let place)? = table?[name] else { continue }
            values[name] = AttributeCoding.any(value, place.type)
        }
        return values
    }

    /// The changed properties of an updated object; `nil` if the file does not state them.
    open var updatedProperties: Set<NSPropertyDescription>? {
        guard case .update(let changed) = change.kind, let table,
            !(changed.mayMissSome && changed.slots.isEmpty && changed.toMany.isEmpty)
        else { return nil }
        let names = table.entity.names(of: changed)
        return Set(names.compactMap { table.description.propertiesByName[$0] })
    }

    /// Returns the change itself, which is constant.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A request for changes, to be given a predicate and passed to `fetchHistory(withFetch:)`.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = entityDescription
        return request
    }

    /// The entity that stands for changes in a request; it is in no model.
    open class var entityDescription: NSEntityDescription? { HistoryEntities.change() }

    /// Returns the entity that stands for changes in a request.
    /// - Parameter context: has no effect.
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        entityDescription
    }

    /// A text with the number, the kind and the object.
    open override var description: String {
        "<NSPersistentHistoryChange: \(changeID) \(changeType) \(change.id.uriText)>"
    }
}

extension NSPersistentHistoryChange: KeyValueReadable {
    package func readValue(forKey key: String) -> Any? {
        switch key {
        case "changeID": changeID
        case "changeType": changeType.rawValue
        case "changedEntity": changedObjectID.entity
        case "changedObjectID": changedObjectID
        default: nil
        }
    }
}

/// Entities that stand for history in requests.
enum HistoryEntities {
    static let changeName = "CHANGE"
    static let transactionName = "TRANSACTION"

    static func change() -> NSEntityDescription { named(changeName) }
    static func transaction() -> NSEntityDescription { named(transactionName) }

    private static func named(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        return entity
    }
}
