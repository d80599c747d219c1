import Foundation
import ObjectGraph

// Writing optionals of the plain types, again without generics.

extension _ModelStorage {
    public func initialize(_ slot: _ModelSlot, _ value: String?) { initialize(slot, optional: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Int?) { initialize(slot, optional: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Double?) { initialize(slot, optional: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Bool?) { initialize(slot, optional: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Date?) { initialize(slot, optional: value) }
    public func initialize(_ slot: _ModelSlot, _ value: UUID?) { initialize(slot, optional: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Data?) { initialize(slot, optional: value) }

    /// Nil is written too: an initialiser may take back a property's default.
    @inline(__always)
    private func initialize<S: ScalarValue>(_ slot: _ModelSlot, optional value: S?) {
        giveInitialValue(value?.slotValue ?? .null, to: slot)
    }

    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: String?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, String?>
    ) {
        write(value?.slotValue ?? .null, to: slot, of: model, keyPath)
    }
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Int?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Int?>
    ) {
        write(value?.slotValue ?? .null, to: slot, of: model, keyPath)
    }
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Double?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Double?>
    ) {
        write(value?.slotValue ?? .null, to: slot, of: model, keyPath)
    }
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Bool?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Bool?>
    ) {
        write(value?.slotValue ?? .null, to: slot, of: model, keyPath)
    }
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Date?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Date?>
    ) {
        write(value?.slotValue ?? .null, to: slot, of: model, keyPath)
    }
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: UUID?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, UUID?>
    ) {
        write(value?.slotValue ?? .null, to: slot, of: model, keyPath)
    }
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Data?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Data?>
    ) {
        write(value?.slotValue ?? .null, to: slot, of: model, keyPath)
    }
}
