import Foundation
import ObjectGraph

/// Translates sort descriptors to the engine's sort keys, by their key paths.
struct SortTranslator {
    let model: Model
    let entity: Entity
    let type: ModelType

    /// - Throws: `PredicateTranslationError`: `needsMemory` for a descriptor whose key path is not a plain stored value.
    func translate<M: PersistentModel>(_ descriptors: [SortDescriptor<M>]) throws -> [SortKey] {
        try descriptors.flatMap { try translate($0) }
    }

    private func translate<M: PersistentModel>(_ descriptor: SortDescriptor<M>) throws -> [SortKey] {
        guard let keyPath = descriptor.keyPath else {
            throw PredicateTranslationError.needsMemory(construct: "SortDescriptor", reason: "it has no key path")
        }
        let operand = try PredicateTranslation(model: model).property(at: keyPath, of: .variable(.root), type)
        guard case .leaves(let leaves, let codec) = operand, leaves.count == 1, let leaf = leaves.first,
            Self.isOrdered(codec)
        else {
            throw PredicateTranslationError.needsMemory(
                construct: "SortDescriptor", reason: "'\(keyPath)' is not a plain value")
        }
        let isAscending = descriptor.order == .forward
        let key = SortKey(leaf, ascending: isAscending, textOrder: Self.textOrder(of: descriptor, keyPath))
        guard let codec, UnsignedOrder.applies(to: codec.unwrapped.valueType) else { return [key] }
        return [SortKey(UnsignedOrder.isInUpperHalf(leaf), ascending: isAscending), key]
    }

    /// Enums and structs have an order that the program defines. An identity has no codec.
    private static func isOrdered(_ codec: (any AttributeCodec)?) -> Bool {
        guard let codec else { return true }
        return codec.unwrapped.valueType is any ScalarValue.Type
    }

    private static func textOrder<M>(of descriptor: SortDescriptor<M>, _ keyPath: AnyKeyPath) -> TextOrder {
        let type = Swift.type(of: keyPath).valueType
        let value = (type as? any OptionalType.Type)?.wrappedType ?? type
        if let ordered = value as? any OrderedText.Type { return ordered.order }
        #if canImport(Darwin)
        switch descriptor.stringComparator {
        case .localizedStandard: return .localizedStandard
        case .localized: return .localized
        default: return .binary
        }
        #else
        return .binary
        #endif
    }
}
