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

    /// Makes an object of the type with `body`, whose storage will be the record.
    static func make<Model: PersistentModel>(
        _ type: ModelType, from record: Record, _ body: () -> Model
    ) -> Model {
        let slot = Slot(record, type)
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, Unmanaged.passUnretained(slot).toOpaque())
        defer { pthread_setspecific(key, outer) }
        return withExtendedLifetime(slot) { body() }
    }

    /// The record whose object is being made on this thread, if it is for the class that asks.
    ///
    /// The classes of the object's chain ask in turn, its own class first, then upward. Whoever asks before its turn,
    /// and whoever asks for the root when that is served, belongs to another object made meanwhile, for a property's
    /// initial value or in an initialiser. What cannot be told: an object of exactly the class whose turn it is, as made
    /// for an initial value that stands after a persisted property; it shares the record. So a class below the root
    /// that asks again is served again: it may be the object's own, and nothing else gives that one the record.
    static func record(for type: ModelType) -> Record? {
        guard let slot = current, slot.type.isKind(of: type) else { return nil }
        if slot.next === type {
            slot.next = type.superType
            return slot.record
        }
        let isServed = slot.next.map(type.isKind) ?? true
        return isServed && type.superType != nil ? slot.record : nil
    }

    private static var current: Slot? {
        pthread_getspecific(key).map { Unmanaged<Slot>.fromOpaque($0).takeUnretainedValue() }
    }

    private final class Slot {
        let record: Record
        let type: ModelType
        /// The class of the chain that has not asked yet; `nil` when all have.
        var next: ModelType?

        init(_ record: Record, _ type: ModelType) {
            self.record = record
            self.type = type
            next = type
        }
    }
}
