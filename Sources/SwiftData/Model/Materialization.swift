import Foundation
import ObjectGraph

/// Passes the record of a row to the object that is created for it. Stored properties get their initial values before an
/// initializer runs; this prevents those of an object created for a row from replacing the row's values.
enum Materialization {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Creates an object of the type whose storage is the record.
    static func object(of type: ModelType, from record: Record) -> AnyObject {
        let key = key
        let outer = pthread_getspecific(key)
        defer { pthread_setspecific(key, outer) }
        if type.makesObjects {
            // Every request gets a new record; `init(backingData:)` then assigns the row's.
            pthread_setspecific(key, nil)
            return type.maker.object(from: record)
        }
        return withExtendedLifetime(record) {
            var slot = Slot(record: .passUnretained(record), type: type.unmanaged, next: type.unmanaged)
            return withUnsafeMutablePointer(to: &slot) { slot in
                pthread_setspecific(key, slot)
                return type.maker.object(from: record)
            }
        }
    }

    /// The record whose object is being created on this thread, if it is for the requesting class.
    ///
    /// The classes of the object's chain request in turn, its own class first, then upward. A request before its class's
    /// turn, and a request of the root class after its turn, are of another object, created in an initializer meanwhile: if
    /// initial values may create objects, all get a new record.
    static func record(for type: ModelType) -> Record? {
        guard let slot = pthread_getspecific(key)?.assumingMemoryBound(to: Slot.self) else { return nil }
        let asking = type.unmanaged.toOpaque()
        if slot.pointee.next?.toOpaque() == asking {
            slot.pointee.next = type.superType?.unmanaged
            return slot.pointee.record.takeUnretainedValue()
        }
        guard slot.pointee.type.takeUnretainedValue().isKind(of: type) else { return nil }
        let isServed = slot.pointee.next.map { type.isKind(of: $0.takeUnretainedValue()) } ?? true
        return isServed && type.superType != nil ? slot.pointee.record.takeUnretainedValue() : nil
    }

    /// On the stack of the thread that creates the object. Only that thread accesses it, and it retains the record
    /// meanwhile. Types are never released.
    private struct Slot {
        let record: Unmanaged<Record>
        let type: Unmanaged<ModelType>
        /// The class of the chain that requests next; `nil` after the last.
        var next: Unmanaged<ModelType>?
    }
}

extension ModelType {
    fileprivate var unmanaged: Unmanaged<ModelType> { .passUnretained(self) }
}
