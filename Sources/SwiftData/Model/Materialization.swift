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

    /// Makes an object with `body`, whose storage will be the record.
    static func make<Object>(from record: Record, _ body: () -> Object) -> Object {
        let slot = Slot(record)
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, Unmanaged.passUnretained(slot).toOpaque())
        defer { pthread_setspecific(key, outer) }
        return withExtendedLifetime(slot) { body() }
    }

    /// The record waiting for an object on this thread; once.
    static func takeRecord() -> Record? {
        guard let pointer = pthread_getspecific(key) else { return nil }
        let slot = Unmanaged<Slot>.fromOpaque(pointer).takeUnretainedValue()
        defer { slot.waiting = nil }
        return slot.waiting
    }

    /// Whether the record's object is being made on this thread, so that initial values are not for it.
    static func isMaking(_ record: Record) -> Bool {
        guard let pointer = pthread_getspecific(key) else { return false }
        return Unmanaged<Slot>.fromOpaque(pointer).takeUnretainedValue().record === record
    }

    private final class Slot {
        let record: Record
        var waiting: Record?

        init(_ record: Record) {
            self.record = record
            waiting = record
        }
    }
}
