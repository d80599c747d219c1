import Foundation
import ObjectGraph

/// Divides a key path into the properties that it passes through.
///
/// The standard library compares key paths but does not expose their components. A key path with several properties is
/// therefore read from stand-in objects whose values are known (`KeyPathProbe`), and its components follow from the
/// properties that are read. A key path with one component is never read: it may be a computed property that does not
/// expect such objects.
enum KeyPathSteps {
    enum Step {
        /// `persistentModelID`, or the `id` that every model has.
        case identity
        case property(ModelProperty)
        /// A part of a composite attribute.
        case part(Range<Int>, any AttributeCodec)
    }

    /// `nil` for a key path that does not name a stored property.
    static func find(_ keyPath: AnyKeyPath, from type: ModelType) -> [Step]? {
        if let property = type.anyProperty(at: keyPath) {
            return [.property(property)]
        }
        if type.isIdentity(keyPath) { return [.identity] }
        guard keyPath.isSafeChain || keyPath.isStored || keyPath.isOrderedText else { return nil }
        let key = Key(type: ObjectIdentifier(type.type), keyPath: keyPath)
        if let known = known.withLock({ $0[key] }) { return known.steps }
        let found = Found(steps: search(keyPath, type))
        known.withLock { $0[key] = found }
        return found.steps
    }

    private static func search(_ keyPath: AnyKeyPath, _ type: ModelType) -> [Step]? {
        if keyPath.isOrderedText {
            if let property = type.textProperty(orderedAt: keyPath) { return [.property(property)] }
            // The remaining cases are inherited or computed properties, and those reached through a relationship.
            guard keyPath.isLongChain || keyPath.isSafeChain && type.superType != nil else { return nil }
        }
        return KeyPathProbe.steps(of: keyPath, from: type)
    }

    private struct Key: Hashable, @unchecked Sendable {  // A key path is immutable and only lacks the annotation.
        let type: ObjectIdentifier
        let keyPath: AnyKeyPath
    }

    private struct Found: @unchecked Sendable {  // Immutable values: properties, key paths, codecs.
        let steps: [Step]?
    }

    private static let known = Locked<[Key: Found]>([:])
}
