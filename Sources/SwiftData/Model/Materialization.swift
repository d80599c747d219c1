import Foundation
import ObjectGraph

/// Hands the record of a row to the object being made for it. An object's stored properties take their initial values
/// before its initialiser runs; this keeps those of an object made for a row from being written over the row's.
enum Materialization {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// An object of the type whose storage is the record.
    static func object(of type: ModelType, from record: Record) -> any PersistentModel {
        let outer = pthread_getspecific(key)
        defer { pthread_setspecific(key, outer) }
        var slot = Slot(record: record, type: type, next: type)
        return withUnsafeMutablePointer(to: &slot) { slot in
            pthread_setspecific(key, slot)
            return type.type.init(materializing: record)
        }
    }

    /// The record whose object is being made on this thread, if it is for the class that asks.
    ///
    /// The classes of the object's chain ask in turn, its own class first, then upward. Whoever asks before its turn,
    /// and whoever asks for the root when that is served, belongs to another object made meanwhile, for a property's
    /// initial value or in an initialiser. What cannot be told: an object of exactly the class whose turn it is, as made
    /// for an initial value that stands after a persisted property; it shares the record. So a class below the root
    /// that asks again is served again: it may be the object's own, and nothing else gives that one the record.
    static func record(for type: ModelType) -> Record? {
        guard let slot = pthread_getspecific(key)?.assumingMemoryBound(to: Slot.self),
            slot.pointee.type.isKind(of: type)
        else { return nil }
        if slot.pointee.next === type {
            slot.pointee.next = type.superType
            return slot.pointee.record
        }
        let isServed = slot.pointee.next.map(type.isKind) ?? true
        return isServed && type.superType != nil ? slot.pointee.record : nil
    }

    /// Stands on the stack of the thread that makes the object, which alone sees it.
    private struct Slot {
        let record: Record
        let type: ModelType
        /// The class of the chain that has not asked yet; `nil` when all have.
        var next: ModelType?
    }
}

extension PersistentModel {
    fileprivate init(materializing record: Record) {
        self.init(backingData: DefaultBackingData<Root>(record: record))
    }
}
