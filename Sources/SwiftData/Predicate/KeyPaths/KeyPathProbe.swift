import Foundation
import ObjectGraph
import Observation

/// Reads a key path from objects without a context, and determines by observation which properties are read.
///
/// A property is accepted only if it is the only property of its object that is read, and the result is its unchanged value
/// for two different sets of values: so a computed property that transforms a stored one is not mistaken for it. Constants
/// are not observed, and are recognized by these values alone.
enum KeyPathProbe {
    /// Longer chains are not resolved.
    private static let longestChain = 6

    static func steps(of keyPath: AnyKeyPath, from type: ModelType) -> [KeyPathSteps.Step]? {
        func open<M: PersistentModel>(_ type: M.Type) -> [KeyPathSteps.Step]? {
            var search = Search(keyPath: keyPath, root: M.makeDetached())
            return search.run()
        }
        return open(type.type)
    }

    private struct Search {
        let keyPath: AnyKeyPath
        var root: any PersistentModel
        /// The object before the last one, and the relationship from it to the last.
        var holder: (model: any PersistentModel, relationship: ModelProperty)?
        var steps: [KeyPathSteps.Step] = []

        mutating func run() -> [KeyPathSteps.Step]? {
            var current = root
            while steps.count < longestChain {
                let type = ModelType.of(Swift.type(of: current))
                guard let name = onlyPropertyRead(of: current) else { return constant(of: type) ?? identity() }
                guard let property = type.property(named: name) else { return nil }
                steps.append(.property(property))
                switch property.kind {
                case .attribute(let codec):
                    return attribute(property, codec, of: current)
                case .relationship(_, .toMany):
                    return valueType == unwrapped(property.valueType) ? steps : nil
                case .relationship(let destination, .toOne):
                    if valueType == destination { return steps }
                    let next = destination.makeDetached()
                    link(current, property, to: next)
                    holder = (current, property)
                    current = next
                }
            }
            return nil
        }

        /// No property of the last object is read, or several are: only its identity is possible.
        private mutating func identity() -> [KeyPathSteps.Step]? {
            // A stored property of this type is not persistent.
            guard valueType == PersistentIdentifier.self, !keyPath.isStored else { return nil }
            return steps + [.identity]
        }

        private var valueType: any Any.Type { unwrapped(Swift.type(of: keyPath).valueType) }

        private func unwrapped(_ type: any Any.Type) -> any Any.Type {
            let type = (type as? any OptionalType.Type).map { unwrapped($0.wrappedType) } ?? type
            return (type as? any OrderedText.Type) == nil ? type : String.self
        }

        private var read: Any? { root[keyPath: keyPath].flatMap(PredicateConstant.flattened) }

        // MARK: Which property

        private func onlyPropertyRead(of model: any PersistentModel) -> String? {
            var found: String?
            for property in ObservedProperty.all(of: type(of: model)) where isRead(property, of: model) {
                if found != nil { return nil }
                found = property.name
            }
            return found
        }

        private func isRead(_ property: ObservedProperty, of model: any PersistentModel) -> Bool {
            let flag = Flag()
            withObservationTracking {
                _ = root[keyPath: keyPath]
            } onChange: {
                flag.raise()
            }
            model.record.modelObserver?.willSet(property.keyPath)
            return flag.isRaised
        }

        private func link(_ model: any PersistentModel, _ property: ModelProperty, to next: any PersistentModel) {
            guard let index = property.relationshipIndex else { return }
            model.record.deferLink(
                DeferredLink(relationshipIndex: index, destination: (record: next.record, object: next)))
        }

        /// The constant of the last object that the key path reads.
        private mutating func constant(of type: ModelType) -> [KeyPathSteps.Step]? {
            var candidates = type.constants.flatMap { constant in
                parts(of: constant.codec, at: 0).filter { valueType == unwrapped($0.codec.valueType) }
                    .map { (constant: constant, part: $0) }
            }
            for round in 1...2 where !candidates.isEmpty {
                let values = type.constants.map { ProbeValues.make(for: $0.codec, round, at: $0.slots.lowerBound) }
                replaceLast(by: type, zip(type.constants, values))
                let result = plain(read)
                candidates.removeAll { candidate in
                    guard let index = type.constants.firstIndex(where: { $0.name == candidate.constant.name }) else {
                        return true
                    }
                    return !isSame(result, as: candidate.part.codec, values[index][candidate.part.leaves])
                }
            }
            guard candidates.count == 1, let found = candidates.first,
                let property = type.property(named: found.constant.name)
            else { return nil }
            let isWhole = found.part.leaves.count == found.constant.codec.leafCount
            return steps + [.property(property)] + (isWhole ? [] : [.part(found.part.leaves, found.part.codec)])
        }

        /// Replaces the object at the end of the chain with one whose constants have these values.
        private mutating func replaceLast(
            by type: ModelType, _ constants: some Sequence<(ConstantProperty, [Value?])>
        ) {
            let values = constants.flatMap { constant, values in
                zip(constant.slots, values).compactMap { slot, value in value.map { (slot: slot, value: $0) } }
            }
            let last = type.type.makeDetached(with: values)
            if let holder {
                link(holder.model, holder.relationship, to: last)
            } else {
                root = last
            }
        }

        // MARK: Which part of it

        private func attribute(
            _ property: ModelProperty, _ codec: any AttributeCodec, of model: any PersistentModel
        ) -> [KeyPathSteps.Step]? {
            var candidates = parts(of: codec, at: 0).filter { valueType == unwrapped($0.codec.valueType) }
            for round in 1...2 {
                let values = ProbeValues.make(for: codec, round)
                for (slot, value) in zip(property.slots, values) {
                    if let value { model.record.initializeValue(value, at: slot) }
                }
                let result = plain(read)
                candidates.removeAll { !isSame(result, as: $0.codec, values[$0.leaves]) }
            }
            guard candidates.count == 1, let part = candidates.first else { return nil }
            return part.leaves.count == codec.leafCount ? steps : steps + [.part(part.leaves, part.codec)]
        }

        /// Columns for which no value could be made are accepted.
        private func isSame(_ result: Any?, as codec: any AttributeCodec, _ expected: ArraySlice<Value?>) -> Bool {
            if expected.allSatisfy({ $0 == nil }) { return true }
            guard let values = PredicateConstant.values(of: result, as: valueType, like: codec) else { return false }
            return values.count == expected.count && zip(values, expected).allSatisfy { $1 == nil || $0 == $1 }
        }

        private func plain(_ value: Any?) -> Any? { (value as? any OrderedText)?.text ?? value }

        /// The attribute itself and, for a composite, all its parts.
        private func parts(
            of codec: any AttributeCodec, at first: Int
        ) -> [(leaves: Range<Int>, codec: any AttributeCodec)] {
            let whole = [(leaves: first..<first + codec.leafCount, codec: codec)]
            guard let members = (codec.unwrapped as? any MemberedCodec)?.memberParts else { return whole }
            return whole + members.flatMap { parts(of: $0.codec, at: first + $0.leaves.lowerBound) }
        }
    }
}

/// Raised from an observation's callback.
private final class Flag: @unchecked Sendable {  // Set and read on the probing thread only.
    private(set) var isRaised = false

    func raise() { isRaised = true }
}

extension PersistentModel {
    /// A value at a key path of unknown value type; `nil` when it is not rooted in this class or one above.
    fileprivate subscript(keyPath keyPath: AnyKeyPath) -> Any? {
        (keyPath as? PartialKeyPath<Self>).map { self[keyPath: $0] }
    }
}

/// Values by which a property is recognized.
private enum ProbeValues {
    /// `nil` for a column for which no value can be made.
    static func make(for codec: any AttributeCodec, _ round: Int, at slot: Int = 0) -> [Value?] {
        make(codec.unwrapped, seed: round * 31 + slot * 7)
    }

    private static func make(_ codec: any AttributeCodec, seed: Int) -> [Value?] {
        if let members = (codec as? any MemberedCodec)?.memberParts {
            return members.flatMap { make($0.codec.unwrapped, seed: seed + $0.leaves.lowerBound) }
        }
        let unknown = [Value?](repeating: nil, count: codec.leafCount)
        if codec.isOpaque { return unknown }
        let attribute = codec.attribute(named: "", isOptional: true)
        if attribute.isEnum { return enumCase(codec, seed: seed) ?? unknown }
        return codec.leafCount == 1 ? [value(attribute.type, seed: seed)] : unknown
    }

    private static func enumCase(_ codec: any AttributeCodec, seed: Int) -> [Value?]? {
        func open<E>(_ type: E.Type) -> [Value?]? {
            let cases = EnumCases.all(of: type)
            return cases.isEmpty ? nil : codec.encodedAny(cases[seed % cases.count])
        }
        return _openExistential(codec.valueType, do: open)
    }

    private static func value(_ type: AttributeType, seed: Int) -> Value? {
        switch type {
        case .integer16, .integer32, .integer64: .integer(Int64(seed % 100))
        case .boolean: .integer(Int64(seed % 2))
        case .double, .float, .date: .real(Double(seed) + 0.5)
        case .decimal: .decimal(Decimal(seed) + Decimal(0.5))
        case .string: .text("Probe é \(seed)")
        case .uri: .text("probe://host/\(seed)")
        case .uuid: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(seed % 256))))
        case .binary: .bytes(Data([1, UInt8(seed % 256)]))
        case .transformable, .composite: nil
        }
    }
}

/// Codecs with named parts.
private protocol MemberedCodec: AttributeCodec {
    var memberParts: [(leaves: Range<Int>, codec: any AttributeCodec)] { get }
}

extension StructCodec: MemberedCodec {
    var memberParts: [(leaves: Range<Int>, codec: any AttributeCodec)] { members.map { ($0.leaves, $0.codec) } }
}
