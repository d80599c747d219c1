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
    static func object(of type: ModelType, from record: Record) -> AnyObject {
        let key = key
        let outer = pthread_getspecific(key)
        defer { pthread_setspecific(key, outer) }
        if type.makesObjects {
            // Whoever asks gets a new record; `init(backingData:)` brings the row's.
            pthread_setspecific(key, nil)
            return type.maker.object(from: record)
        }
        return withExtendedLifetime(record) {
            var slot = Slot(record: .passUnretained(record), type: type.kept, next: type.kept)
            return withUnsafeMutablePointer(to: &slot) { slot in
                pthread_setspecific(key, slot)
                return type.maker.object(from: record)
            }
        }
    }

    /// The record whose object is being made on this thread, if it is for the class that asks.
    ///
    /// The classes of the object's chain ask in turn, its own class first, then upward. Whoever asks before its turn,
    /// and whoever asks for the root when that is served, belongs to another object, made in an initialiser meanwhile: where
    /// initial values may make objects, nobody is served.
    static func record(for type: ModelType) -> Record? {
        guard let slot = pthread_getspecific(key)?.assumingMemoryBound(to: Slot.self) else { return nil }
        let asking = type.kept.toOpaque()
        if slot.pointee.next?.toOpaque() == asking {
            slot.pointee.next = type.superType?.kept
            return slot.pointee.record.takeUnretainedValue()
        }
        guard slot.pointee.type.takeUnretainedValue().isKind(of: type) else { return nil }
        let isServed = slot.pointee.next.map { type.isKind(of: $0.takeUnretainedValue()) } ?? true
        return isServed && type.superType != nil ? slot.pointee.record.takeUnretainedValue() : nil
    }

    /// Stands on the stack of the thread that makes the object, which alone sees it, and which keeps the record meanwhile.
    /// Types are kept for ever.
    private struct Slot {
        let record: Unmanaged<Record>
        let type: Unmanaged<ModelType>
        /// The class of the chain that has not asked yet; `nil` when all have.
        var next: Unmanaged<ModelType>?
    }
}

extension ModelType {
    fileprivate var kept: Unmanaged<ModelType> { .passUnretained(self) }
}
