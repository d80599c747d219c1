import Foundation
import ObjectGraph

// Writing attributes. The most common types have overloads of their own, so that a write is not generic; all others use the
// property's codec.

extension _BorrowedStorage {
    // MARK: Plain types

    /// Sets a text attribute. For generated accessors.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The new value.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: String, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, String>
    ) {
        set(slot, scalar: value, of: model, keyPath)
    }
    /// Sets an integer attribute. For generated accessors.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The new value.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Int, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Int>
    ) {
        set(slot, scalar: value, of: model, keyPath)
    }
    /// Sets a floating-point attribute. For generated accessors.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The new value.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Double, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Double>
    ) {
        set(slot, scalar: value, of: model, keyPath)
    }
    /// Sets a Boolean attribute. For generated accessors.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The new value.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Bool, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Bool>
    ) {
        set(slot, scalar: value, of: model, keyPath)
    }
    /// Sets a date attribute. For generated accessors.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The new value.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Date, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Date>
    ) {
        set(slot, scalar: value, of: model, keyPath)
    }
    /// Sets a UUID attribute. For generated accessors.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The new value.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
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

    /// Sets an optional text attribute. For generated accessors.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The new value.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: String?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, String?>
    ) {
        write(value?.slotValue ?? .null, to: slot, of: model, keyPath)
    }
    /// Sets an optional integer attribute. For generated accessors.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The new value.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Int?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Int?>
    ) {
        write(value?.slotValue ?? .null, to: slot, of: model, keyPath)
    }
    /// Sets an optional floating-point attribute. For generated accessors.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The new value.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Double?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Double?>
    ) {
        write(value?.slotValue ?? .null, to: slot, of: model, keyPath)
    }
    /// Sets an optional Boolean attribute. For generated accessors.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The new value.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Bool?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Bool?>
    ) {
        write(value?.slotValue ?? .null, to: slot, of: model, keyPath)
    }
    /// Sets an optional date attribute. For generated accessors.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The new value.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Date?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Date?>
    ) {
        write(value?.slotValue ?? .null, to: slot, of: model, keyPath)
    }
    /// Sets an optional UUID attribute. For generated accessors.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The new value.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: UUID?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, UUID?>
    ) {
        write(value?.slotValue ?? .null, to: slot, of: model, keyPath)
    }
    /// Sets an optional data attribute. For generated accessors.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The new value.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Data?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Data?>
    ) {
        write(value?.slotValue ?? .null, to: slot, of: model, keyPath)
    }

    // MARK: Character, which is not Codable

    /// Sets a character attribute. For generated accessors.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The new value.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Character, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Character>
    ) {
        set(slot, scalar: value, of: model, keyPath)
    }
    /// Sets an optional character attribute. For generated accessors.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The new value.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
    public func set<M: PersistentModel>(
        _ slot: _ModelSlot, _ value: Character?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, Character?>
    ) {
        set(slot, encodable: value, of: model, keyPath)
    }

    // MARK: Everything else that can be stored

    /// Sets an attribute of any other Codable type, by the attribute's codec. For generated accessors.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The new value.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
    @_disfavoredOverload
    public func set<M: PersistentModel, V: Codable>(
        _ slot: _ModelSlot, _ value: V, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, V>
    ) {
        set(slot, encodable: value, of: model, keyPath)
    }

    /// Sets an attribute with a value transformer or a codec. For generated accessors.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The new value.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
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

    /// Sets an attribute whose type cannot be stored. For generated accessors: the compiler already refuses the attribute
    /// where it is initialized, and a second error would add nothing.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The new value.
    ///   - model: The model.
    ///   - keyPath: The attribute, for observation.
    @_disfavoredOverload
    public func set<M: PersistentModel, V>(
        _ slot: _ModelSlot, _ value: V, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, V>
    ) {
        set(slot, encodable: value, of: model, keyPath)
    }
}

extension Record {
    /// The slots' values of a new value. A setter cannot throw: a value that cannot be encoded makes the next save throw,
    /// and the property keeps its present value until then.
    func leaves<V>(of value: V, _ codec: any AttributeCodec, _ slot: _ModelSlot) -> [Value]? {
        let (leaves, name) = (codec.leaves(of: value), slot.property.name)
        leaves == nil ? refuse(name) : accept(name)
        return leaves
    }

    /// Equal values may be stored differently (JSON written by another program), and a member may contain data that only a
    /// newer program understands: columns with an equal value are left unchanged. `nil` means all columns, if there is no
    /// readable value or the new one is nil.
    fileprivate func leavesToWrite<V>(
        _ slot: _ModelSlot, _ codec: any AttributeCodec, _ leaves: [Value], as type: V.Type
    ) -> [Bool]? {
        guard !leaves.allSatisfy(\.isNull), let current = codec.decoded(values(slot.property.slots), as: type),
            let old = codec.leaves(of: current)
        else { return nil }
        return codec.leavesToWrite(from: SlotValues(old)[...], to: SlotValues(leaves)[...])
    }
}
