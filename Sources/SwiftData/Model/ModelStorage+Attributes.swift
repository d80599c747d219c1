import Foundation
import ObjectGraph

// Writing attributes. The types that most models consist of have overloads of their own, so that a property costs no
// generics; everything else goes through the property's codec.

extension _ModelStorage {
    // MARK: Plain types

    public func initialize(_ slot: _ModelSlot, _ value: consuming String) {
        record.giveInitialValue(text: value, at: slot.first)
    }
    public func initialize(_ slot: _ModelSlot, _ value: Int) { initialize(slot, scalar: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Double) { initialize(slot, scalar: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Bool) { initialize(slot, scalar: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Date) { initialize(slot, scalar: value) }
    public func initialize(_ slot: _ModelSlot, _ value: UUID) { initialize(slot, scalar: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Data) { initialize(slot, scalar: value) }

    @inline(__always)
    func initialize<S: ScalarValue>(_ slot: _ModelSlot, scalar value: S) {
        giveInitialValue(value.slotValue, to: slot)
    }

    /// Inlined where the kind of value is known, so that no `Value` is made.
    @inline(__always)
    func giveInitialValue(_ value: Value, to slot: _ModelSlot) {
        switch value {
        case .integer(let integer): record.giveInitialValue(integer: integer, at: slot.first)
        case .real(let real): record.giveInitialValue(real: real, at: slot.first)
        case .text(let text): record.giveInitialValue(text: text, at: slot.first)
        default: record.giveInitialValue(value, at: slot.first)
        }
    }

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
        guard let observer = record.modelObserver else {
            record.setValue(value, at: slot.first)
            return
        }
        observer.withMutation(of: keyPath()) {
            _ = record.setValue(value, at: slot.first)
        }
    }

    // MARK: Character, which is not Codable

    public func initialize(_ slot: _ModelSlot, _ value: Character) { initialize(slot, scalar: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Character?) { initialize(slot, encodable: value) }
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
    public func initialize<V: Codable>(_ slot: _ModelSlot, _ value: V) { initialize(slot, encodable: value) }

    @_disfavoredOverload
    public func set<M: PersistentModel, V: Codable>(
        _ slot: _ModelSlot, _ value: V, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, V>
    ) {
        set(slot, encodable: value, of: model, keyPath)
    }

    public func initializeTransformable<V>(_ slot: _ModelSlot, _ value: V) { initialize(slot, encodable: value) }
    public func setTransformable<M: PersistentModel, V>(
        _ slot: _ModelSlot, _ value: V, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, V>
    ) {
        set(slot, encodable: value, of: model, keyPath)
    }

    private func initialize<V>(_ slot: _ModelSlot, encodable value: V) {
        guard !isMaterialized, let codec = slot.property.codec else { return }
        guard let leaves = leaves(of: value, codec, slot) else { return }
        for (offset, leaf) in leaves.enumerated() { record.giveInitialValue(leaf, at: slot.first + offset) }
    }

    private func set<M: PersistentModel, V>(
        _ slot: _ModelSlot, encodable value: V, of model: M, _ keyPath: () -> KeyPath<M, V>
    ) {
        guard let codec = slot.property.codec else { return }
        guard let leaves = leaves(of: value, codec, slot) else { return }
        let write = {
            let isWritten = leavesToWrite(slot, codec, leaves, as: V.self)
            for (offset, leaf) in leaves.enumerated() where isWritten?[offset] ?? true {
                record.setValue(leaf, at: slot.first + offset)
            }
        }
        guard let observer = record.modelObserver else { return write() }
        observer.withMutation(of: keyPath(), write)
    }

    /// Equal values may be stored differently (JSON written elsewhere), and a member may hold what only a newer program
    /// understands; what says the same stays as it is. `nil` means all: nothing readable is there, or nil is to be.
    private func leavesToWrite<V>(
        _ slot: _ModelSlot, _ codec: any AttributeCodec, _ leaves: [Value], as type: V.Type
    ) -> [Bool]? {
        guard !leaves.allSatisfy(\.isNull), let current = codec.decoded(record.values(slot.property.slots), as: type),
            let old = codec.leaves(of: current)
        else { return nil }
        return codec.leavesToWrite(from: SlotValues(old)[...], to: SlotValues(leaves)[...])
    }

    /// The slots' values of a new value. As a setter cannot throw, a value that has none makes the next save throw;
    /// meanwhile the property keeps the value it has.
    func leaves<V>(of value: V, _ codec: any AttributeCodec, _ slot: _ModelSlot) -> [Value]? {
        let (leaves, name) = (codec.leaves(of: value), slot.property.name)
        leaves == nil ? record.refuse(name) : record.accept(name)
        return leaves
    }
}

// A property of any other type is refused where it stands.

extension _ModelStorage {
    @_disfavoredOverload
    @available(
        *, unavailable, message: "a stored property must be Codable or a model; mark it @Transient to keep it out"
    )
    public func initialize<V>(_ slot: _ModelSlot, _ value: V) {}

    @_disfavoredOverload
    @available(
        *, unavailable, message: "a stored property must be Codable or a model; mark it @Transient to keep it out"
    )
    public func set<M: PersistentModel, V>(_ slot: _ModelSlot, _ value: V, of model: M, _ keyPath: KeyPath<M, V>) {}
}
