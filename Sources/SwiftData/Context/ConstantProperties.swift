import ObjectGraph

/// Properties declared with `let`: they have no accessors, so their values are read from the object when it comes
/// into a context, and put into the object when it is made for a row.
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

    /// Overwrites the initial values that constants are declared with by those of the row. Those without one have been
    /// set by the initialiser.
    static func write(to model: any PersistentModel) {
        let constants = ModelType.of(type(of: model)).constants.filter { $0.offset != nil }
        guard !constants.isEmpty else { return }
        // A `let` of a class can be set nowhere but in its initialiser, which has just run and nobody has seen the
        // object since; its field is ordinary memory at a known offset.
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
    /// Bytes from the object's start; `nil` for one that the store's initialiser sets.
    let offset: Int?
}
