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

    /// The record whose object is being made on this thread, if the class is the next one of that object's chain to ask.
    ///
    /// Each class of a chain asks once, the object's own class first, then upward. Whoever asks out of turn, or when all
    /// have asked, belongs to another object made meanwhile: for a property's initial value or in an initialiser. What
    /// cannot be told is an object of exactly the class whose turn it is; it gets the record as well.
    static func record(for type: ModelType) -> Record? {
        guard let slot = current, slot.next === type else { return nil }
        slot.next = type.superType
        return slot.record
    }

    private static var current: Slot? {
        pthread_getspecific(key).map { Unmanaged<Slot>.fromOpaque($0).takeUnretainedValue() }
    }

    private final class Slot {
        let record: Record
        /// The class of the chain that has not asked yet; `nil` when all have.
        var next: ModelType?

        init(_ record: Record, _ type: ModelType) {
            self.record = record
            next = type
        }
    }
}
