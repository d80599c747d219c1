import ObjectGraph

/// The values of a deleted model that the history preserves: those of attributes declared with
/// `@Attribute(.preserveValueOnDeletion)` that were not nil. As a sequence, it has these values in the order of the
/// attributes' names.
public struct HistoryTombstone<Model>: Sequence, @unchecked Sendable where Model: PersistentModel {
    // The values were decoded from the file for this tombstone alone, and are never changed.
    /// The type of the values.
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

    /// Iterates over the preserved values.
    public struct Iterator: IteratorProtocol {
        fileprivate var rest: ArraySlice<Any>

        /// Returns the next value; `nil` after the last.
        public mutating func next() -> Any? { rest.popFirst() }
    }

    /// Returns an iterator over the preserved values, in the order of the attributes' names.
    public func makeIterator() -> Iterator {
        Iterator(rest: values.sorted { $0.key < $1.key }.map(\.value)[...])
    }

    /// The value that an attribute had; `nil` if it was nil or is not preserved.
    /// - Parameter keyPath: The attribute.
    public subscript(keyPath: PartialKeyPath<Model>) -> (any Sendable)? {
        let name = ModelType.of(Model.self).anyProperty(at: keyPath)?.name
        return name.flatMap { values[$0] }.flatMap { sendable($0, as: (any Sendable).self) }
    }
}

/// Casts a value to a sendable type, which the language only knows for static types. Used for values that were decoded for
/// one purpose, and for key paths, which are immutable.
func sendable<Result>(_ value: Any, as type: Result.Type) -> Result? { value as? Result }

extension AttributeCodec {
    /// A value of a type known only at run time; `nil` for nil, and if the slots do not represent a value of the type.
    fileprivate func decodedAny(_ values: Slice<SlotValues>) -> Any? {
        func open<V>(_ type: V.Type) -> Any? { decoded(values, as: V.self) }
        return _openExistential(valueType, do: open).flatMap(PredicateConstant.flattened)
    }
}
