import Foundation
import ObjectGraph

/// Passes the record of a row to the object being made for it: `init(entity:insertInto:)` is the only initialiser that every
/// class of managed objects has, and otherwise it makes new objects.
enum Materialization {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Lives on the stack of the thread that makes the object, and is used only by that thread.
    private struct Slot {
        let record: Record
        let table: EntityTable
        let type: NSManagedObject.Type
        var isTaken = false
    }

    static func object(for record: Record, _ table: EntityTable, _ context: NSManagedObjectContext) -> NSManagedObject {
        object(for: record, table, table.objectClass, context)
    }

    /// An object of a class, regardless of its entity's class name.
    static func object(
        for record: Record, _ table: EntityTable, _ type: NSManagedObject.Type, _ context: NSManagedObjectContext?
    ) -> NSManagedObject {
        let outer = pthread_getspecific(key)
        defer { pthread_setspecific(key, outer) }
        var slot = Slot(record: record, table: table, type: type)
        return withUnsafeMutablePointer(to: &slot) { slot in
            pthread_setspecific(key, slot)
            return type.init(entity: table.description, insertInto: context)
        }
    }

    /// The record for the object being made on this thread, if the class matches: a subclass's initialiser may make other objects
    /// meanwhile.
    static func take(for object: NSManagedObject.Type) -> (record: Record, table: EntityTable)? {
        guard let slot = pthread_getspecific(key)?.assumingMemoryBound(to: Slot.self), !slot.pointee.isTaken,
            slot.pointee.type == object
        else { return nil }
        slot.pointee.isTaken = true
        return (slot.pointee.record, slot.pointee.table)
    }
}
