import Foundation
import ObjectGraph
import PredicateFormat

/// What happened to an object.
public enum NSPersistentHistoryChangeType: Int, Sendable {
    case insert = 0
    case update = 1
    case delete = 2
}

/// What one save did to one object.
nonisolated open class NSPersistentHistoryChange: NSObject, NSCopying {
    private let change: HistoryChange
    private let table: EntityTable?
    private let core: CoordinatorCore
    private let save: HistorySave
    /// While somebody holds it.
    private weak var heldTransaction: NSPersistentHistoryTransaction?

    /// The save.
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

    /// Rises from change to change within a store.
    open var changeID: Int64 { change.number }

    open var changedObjectID: NSManagedObjectID { NSManagedObjectID(change.id, core) }

    open var changeType: NSPersistentHistoryChangeType {
        switch change.kind {
        case .insert: .insert
        case .update: .update
        case .delete: .delete
        }
    }

    /// Of a deleted object: values of the attributes that the model wants kept; `nil` where there are none.
    open var tombstone: [AnyHashable: Any]? {
        guard case .delete(let tombstone) = change.kind, !tombstone.values.isEmpty else { return nil }
        var values: [AnyHashable: Any] = [:]
        for (name, value) in tombstone.values {
            guard case .attribute(let place)? = table?[name] else { continue }
            values[name] = AttributeCoding.any(value, place.type)
        }
        return values
    }

    /// Of an updated object: what changed; `nil` where the file does not tell.
    open var updatedProperties: Set<NSPropertyDescription>? {
        guard case .update(let changed) = change.kind, let table,
            !(changed.mayMissSome && changed.slots.isEmpty && changed.toMany.isEmpty)
        else { return nil }
        let names = table.entity.names(of: changed)
        return Set(names.compactMap { table.description.propertiesByName[$0] })
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// What requests for changes by predicate are made with.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = entityDescription
        return request
    }

    /// Names the changes in a request; it is in no model.
    open class var entityDescription: NSEntityDescription? { HistoryEntities.change() }

    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        entityDescription
    }

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

/// Descriptions that name history in requests.
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
