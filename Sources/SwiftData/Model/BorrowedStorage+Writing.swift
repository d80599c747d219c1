import Foundation
import ObjectGraph

// Writing attributes. The types that most models consist of have overloads of their own, so that a property costs no
// generics; everything else goes through the property's codec.

extension _BorrowedStorage {
    // MARK: Plain types

    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: String, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, String>
    ) {
        set(slot, scalar: value, of: model, keyPath)
    }
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Int, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Int>
    ) {
        set(slot, scalar: value, of: model, keyPath)
    }
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Double, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Double>
    ) {
        set(slot, scalar: value, of: model, keyPath)
    }
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Bool, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Bool>
    ) {
        set(slot, scalar: value, of: model, keyPath)
    }
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Date, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Date>
    ) {
        set(slot, scalar: value, of: model, keyPath)
    }
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: UUID, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, UUID>
    ) {
        set(slot, scalar: value, of: model, keyPath)
    }

    @inline(__always)
    private func set<M: PersistentModel, S: ScalarValue>(
        _ slot: _ModelSlot, scalar value: S, of model: M, _ keyPath: () -> KeyPath<M, S>
    ) {
        write(value.slotValue, to: slot, of: model, keyPath)
    }

    @inline(__always)
    func write<M: PersistentModel, V>(
        _ value: Value, to slot: _ModelSlot, of model: M, _ keyPath: () -> KeyPath<M, V>
    ) {
        let record = record
        guard let observer = record.modelObserver else {
            record.setValue(value, at: slot.first)
            return
        }
        observer.withMutation(of: keyPath()) {
            _ = record.setValue(value, at: slot.first)
        }
    }

    // MARK: Optionals of them

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

    // MARK: Character, which is not Codable

    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Character, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Character>
    ) {
        set(slot, scalar: value, of: model, keyPath)
    }
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Character?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Character?>
    ) {
        set(slot, encodable: value, of: model, keyPath)
    }

    // MARK: Everything else that can be stored

    @_disfavoredOverload
    public func set<M: PersistentModel, V: Codable>(
        _ slot: _ModelSlot, _ value: V, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, V>
    ) {
        set(slot, encodable: value, of: model, keyPath)
    }

    public func setTransformable<M: PersistentModel, V>(
        _ slot: _ModelSlot, _ value: V, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, V>
    ) {
        set(slot, encodable: value, of: model, keyPath)
    }

    private func set<M: PersistentModel, V>(
        _ slot: _ModelSlot, encodable value: V, of model: M, _ keyPath: () -> KeyPath<M, V>
    ) {
        guard let codec = slot.property.codec else { return }
        let record = record
        guard let leaves = record.leaves(of: value, codec, slot) else { return }
        let write = {
            let isWritten = record.leavesToWrite(slot, codec, leaves, as: V.self)
            for (offset, leaf) in leaves.enumerated() where isWritten?[offset] ?? true {
                record.setValue(leaf, at: slot.first + offset)
            }
        }
        guard let observer = record.modelObserver else { return write() }
        observer.withMutation(of: keyPath(), write)
    }

    /// A property that is not Codable is refused where it is initialised; a second error here would say the same.
    @_disfavoredOverload
    public func set<M: PersistentModel, V>(
        _ slot: _ModelSlot, _ value: V, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, V>
    ) {
        set(slot, encodable: value, of: model, keyPath)
    }
}

extension Record {
    /// The slots' values of a new value. As a setter cannot throw, a value that has none makes the next save throw;
    /// meanwhile the property keeps the value it has.
    func leaves<V>(of value: V, _ codec: any AttributeCodec, _ slot: _ModelSlot) -> [Value]? {
        let (leaves, name) = (codec.leaves(of: value), slot.property.name)
        leaves == nil ? refuse(name) : accept(name)
        return leaves
    }

    /// Equal values may be stored differently (JSON written elsewhere), and a member may hold what only a newer program
    /// understands; what says the same stays as it is. `nil` means all: nothing readable is there, or nil is to be.
    fileprivate func leavesToWrite<V>(
        _ slot: _ModelSlot, _ codec: any AttributeCodec, _ leaves: [Value], as type: V.Type
    ) -> [Bool]? {
        guard !leaves.allSatisfy(\.isNull), let current = codec.decoded(values(slot.property.slots), as: type),
            let old = codec.leaves(of: current)
        else { return nil }
        return codec.leavesToWrite(from: SlotValues(old)[...], to: SlotValues(leaves)[...])
    }
}
