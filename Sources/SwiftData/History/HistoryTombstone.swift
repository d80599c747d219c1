import ObjectGraph

/// What the history keeps of a deleted model: the values of the attributes declared with
/// `@Attribute(.preserveValueOnDeletion)` that were not nil. As a sequence, these values in the order of the attributes'
/// names.
public struct HistoryTombstone<Model>: Sequence, @unchecked Sendable where Model: PersistentModel {
    // Values of attributes, decoded from the file for this tombstone alone and never changed.
    public typealias Element = Any

    private let values: [String: Any]

    init(_ tombstone: Tombstone) {
        var values: [String: Any] = [:]
        for property in ModelType.of(Model.self).allProperties {
            guard case .attribute(let codec) = property.kind, codec.leafCount == 1,
                let value = tombstone.values[property.name]
            else { continue }
            values[property.name] = codec.decodedAny(SlotValues([value])[...])
        }
        self.values = values
    }

    public struct Iterator: IteratorProtocol {
        fileprivate var rest: ArraySlice<Any>

        public mutating func next() -> Any? { rest.popFirst() }
    }

    public func makeIterator() -> Iterator {
        Iterator(rest: values.sorted { $0.key < $1.key }.map(\.value)[...])
    }

    /// The value an attribute had; `nil` for one that was nil, and for one whose value is not kept.
    public subscript(keyPath: PartialKeyPath<Model>) -> (any Sendable)? {
        let name = ModelType.of(Model.self).anyProperty(at: keyPath)?.name
        return name.flatMap { values[$0] }.flatMap { sendable($0, as: (any Sendable).self) }
    }
}

/// A value as something that may be shared, which the language knows of types only: here of values that were decoded for
/// one purpose, and of key paths, which never change.
func sendable<Result>(_ value: Any, as type: Result.Type) -> Result? { value as? Result }

extension AttributeCodec {
    /// A value of a type known only at run time; `nil` for nil, and where the slots stand for no value of it.
    fileprivate func decodedAny(_ values: Slice<SlotValues>) -> Any? {
        func open<V>(_ type: V.Type) -> Any? { decoded(values, as: V.self) }
        return _openExistential(valueType, do: open).flatMap(PredicateConstant.flattened)
    }
}
