import Foundation
import ObjectGraph

/// A model's storage as its accessors use it: no reference to the record is counted, as that alone would be a good part of
/// what a read costs. For use while the object lives, whose storage keeps the record. What may run code of the program's,
/// which could exchange the storage, takes a reference first.
public struct _BorrowedStorage {
    @usableFromInline let kept: Unmanaged<Record>

    @inlinable
    init(record: Unmanaged<Record>) { kept = record }

    @inlinable
    var record: Record { kept.takeUnretainedValue() }

    @inline(__always)
    func reading<Result>(_ body: (Record) -> Result) -> Result { kept._withUnsafeGuaranteedRef(body) }
}

// MARK: The end of initialisers

extension _BorrowedStorage {
    /// Called by generated code when an initialiser is done: the record is of the object's own class from now on, and
    /// links made meanwhile take effect.
    ///
    /// Inlined where it is called: of a final class, next to nothing is left of it.
    @inlinable
    public func adopt<M: PersistentModel>(_ model: M) {
        if type(of: model) != M.self { specialize(for: type(of: model)) }
        model._$share(_ModelStorage(record: record))
        if complete() { applyDeferredLinks(of: model) }
    }

    /// A class below the one whose initialiser ran has an entity of its own.
    @usableFromInline
    func specialize(for type: any PersistentModel.Type) {
        let record = record
        guard !record.isObjectComplete, let entity = ModelType.of(type).standaloneEntity else { return }
        record.specialize(to: entity)
    }

    /// - Returns: whether links may wait for that.
    @usableFromInline
    func complete() -> Bool { reading { $0.complete() } }

    @usableFromInline
    func applyDeferredLinks(of model: AnyObject) {
        Graph.applyDeferredLinks(of: (record, model))
    }
}

// MARK: Observation

extension _BorrowedStorage {
    /// Notes that a property is read, if anybody watches. Inlined where it is called, so that the usual read asks that one
    /// question and makes no key path.
    @inlinable
    public func access<M: PersistentModel, V>(_ model: M, _ keyPath: @autoclosure () -> KeyPath<M, V>) {
        if isWatched { noteRead(keyPath()) }
    }

    @usableFromInline
    var isWatched: Bool { ObservationScope.isActive }

    @usableFromInline
    func noteRead(_ keyPath: AnyKeyPath) {
        let record = record
        let observer = record.modelObserver ?? ModelObserver()
        record.observer = observer
        observer.access(keyPath)
    }
}
