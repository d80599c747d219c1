import Foundation
import ObjectGraph

/// A model's storage as its generated accessors use it, without a counted reference to the record, whose counting would be
/// a large part of the cost of a read. It is valid while the object is alive, whose storage retains the record. Code that
/// may call the program's own code, which could replace the storage, takes a reference first.
public struct _BorrowedStorage {
    @usableFromInline let unmanaged: Unmanaged<Record>

    @inlinable
    init(record: Unmanaged<Record>) { unmanaged = record }

    @inlinable
    var record: Record { unmanaged.takeUnretainedValue() }

    @inline(__always)
    func reading<Result>(_ body: (Record) -> Result) -> Result { unmanaged._withUnsafeGuaranteedRef(body) }
}

// MARK: The end of initializers

extension _BorrowedStorage {
    /// Completes an object at the end of its initializer: its record gets the object's own class, and links made during the
    /// initializer take effect. For generated code.
    ///
    /// Inlined at the call site: for a final class, almost nothing is left of it.
    /// - Parameter model: The object whose initializer has ended.
    @inlinable
    public func adopt<M: PersistentModel>(_ model: M) {
        if type(of: model) != M.self { specialize(for: type(of: model)) }
        model._$share(_ModelStorage(record: record))
        if complete() { applyDeferredLinks(of: model) }
    }

    /// A subclass of the class whose initializer has run has an entity of its own.
    @usableFromInline
    func specialize(for type: any PersistentModel.Type) {
        let record = record
        guard !record.isObjectComplete, let entity = ModelType.of(type).standaloneEntity else { return }
        record.specialize(to: entity)
    }

    /// - Returns: Whether there may be deferred links.
    @usableFromInline
    func complete() -> Bool { reading { $0.complete() } }

    @usableFromInline
    func applyDeferredLinks(of model: AnyObject) {
        Graph.applyDeferredLinks(of: (record, model))
    }
}

// MARK: Observation

extension _BorrowedStorage {
    /// Registers the read of a property with an active observer. For generated accessors. Inlined at the call site, so that
    /// a read without observers costs one test and makes no key path.
    /// - Parameters:
    ///   - model: The model.
    ///   - keyPath: The property.
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
