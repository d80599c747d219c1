import ObjectGraph

/// Properties declared with `let`. They have no accessors: their values are read from the object when it is inserted into a
/// context, and written into the object when it is created for a row.
enum ConstantProperties {
    static func read(from model: any PersistentModel) {
        let constants = ModelType.of(type(of: model)).constants
        for constant in constants {
            guard let values = constant.codec.encodedAny(model[keyPath: constant.keyPath] as Any) else {
                model.record.refuse(constant.name)
                continue
            }
            for (slot, value) in zip(constant.slots, values) { model.record.initializeValue(value, at: slot) }
        }
    }

    /// Replaces the initial values in the constants' declarations with those of the row. Constants without an initial value
    /// have been set by the initializer.
    static func write(to model: any PersistentModel) {
        let constants = ModelType.of(type(of: model)).constants.filter { $0.offset != nil }
        guard !constants.isEmpty else { return }
        // A `let` of a class can be set in its initializer only. That has just returned, and no other code has seen the
        // object yet; the field is ordinary memory at a known offset.
        let base = UnsafeMutableRawPointer(Unmanaged.passUnretained(model as AnyObject).toOpaque())
        for constant in constants {
            guard let offset = constant.offset else { continue }
            func open<V>(_ type: V.Type) {
                guard let value = constant.codec.decoded(model.record.values(constant.slots), as: V.self) else {
                    return
                }
                (base + offset).assumingMemoryBound(to: V.self).pointee = value
            }
            _openExistential(constant.codec.valueType, do: open)
        }
    }
}

/// One `let` property of a model class.
struct ConstantProperty {
    let name: String
    let keyPath: AnyKeyPath
    let codec: any AttributeCodec
    let slots: Range<Int>
    /// In bytes from the object's start; `nil` for a constant that the initializer for rows sets.
    let offset: Int?
}
