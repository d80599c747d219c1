import ObjectGraph

/// The meaning of a part of a predicate during translation. It is richer than the engine's expression, because a value may
/// have several columns, and a constant is encoded only when the attribute that it is compared with is known.
indirect enum PredicateOperand {
    /// A captured value; `nil` for nil. Optionals are unwrapped.
    case constant(Any?)
    case object(QueryExpression, ModelType)
    /// A value by its columns. The codec encodes constants that are compared with it; computed values have none.
    case leaves([QueryExpression], (any AttributeCodec)?)
    case test(QueryExpression)
    case collection(QueryCollection, ModelType)
    case range(PredicateOperand, PredicateOperand, RangeEnd)

    enum RangeEnd { case open, closed }

    static func value(_ expression: QueryExpression) -> PredicateOperand { .leaves([expression], nil) }

    var constant: Any?? {
        if case .constant(let value) = self { .some(value) } else { .none }
    }

    var isConstant: Bool {
        switch self {
        case .constant: true
        case .range(let lower, let upper, _): lower.isConstant && upper.isConstant
        case .object, .leaves, .test, .collection: false
        }
    }

    var codec: (any AttributeCodec)? {
        if case .leaves(_, let codec) = self { codec } else { nil }
    }

    func test(in construct: String) throws -> QueryExpression {
        switch self {
        case .test(let test): return test
        case .constant(let value as Bool): return .constant(value)
        case .leaves(let leaves, _):
            if leaves.count == 1, let leaf = leaves.first { return leaf }
        case .constant, .object, .collection, .range: break
        }
        throw PredicateTranslationError.needsMemory(construct: construct, reason: "it is not a test")
    }

    /// Whether the value is present: false exactly if it is nil in Swift. To a store, a missing collection is an empty one,
    /// so a collection is always present.
    var isPresent: QueryExpression {
        switch self {
        case .constant(let value): .constant(value != nil)
        case .object(let object, _): .compare(.notEqual, object, .literal(.null))
        case .leaves(let leaves, _): .any(leaves.map { .compare(.notEqual, $0, .literal(.null)) })
        case .test, .collection, .range: .constant(true)
        }
    }

    /// The expressions that are all nil if the operand is nil.
    var nilSources: [QueryExpression] {
        switch self {
        case .object(let object, _): [object]
        case .leaves(let leaves, _): leaves
        case .constant, .test, .collection, .range: []
        }
    }
}

extension QueryExpression {
    /// True if all parts are; flattened, without known parts.
    static func every(_ parts: [QueryExpression]) -> QueryExpression {
        var kept: [QueryExpression] = []
        for part in parts {
            switch part {
            case .constant(true): continue
            case .constant(false): return .constant(false)
            case .and(let inner): kept += inner
            default: kept.append(part)
            }
        }
        if kept.count == 1, let only = kept.first { return only }
        return kept.isEmpty ? .constant(true) : .and(kept)
    }

    /// True if any part is; flattened, without known parts.
    static func any(_ parts: [QueryExpression]) -> QueryExpression {
        var kept: [QueryExpression] = []
        for part in parts {
            switch part {
            case .constant(false): continue
            case .constant(true): return .constant(true)
            case .or(let inner): kept += inner
            default: kept.append(part)
            }
        }
        if kept.count == 1, let only = kept.first { return only }
        return kept.isEmpty ? .constant(false) : .or(kept)
    }

    var negated: QueryExpression {
        switch self {
        case .constant(let result): .constant(!result)
        case .not(let inner): inner.isTest ? inner : .not(self)
        case .compare(.equal, let left, let right): .compare(.notEqual, left, right)
        case .compare(.notEqual, let left, let right): .compare(.equal, left, right)
        default: .not(self)
        }
    }

    /// Whether the expression is Boolean by itself, rather than a value that is read as a Boolean.
    var isTest: Bool {
        switch self {
        case .constant, .compare, .and, .or, .not, .isMember, .text, .isKind, .exists, .all: true
        default: false
        }
    }

    /// Whether the value is nil if all of `sources` are: then an optional chain needs no test of its own.
    func isNil(with sources: [QueryExpression]) -> Bool {
        if sources.contains(self) { return true }
        switch self {
        case .attribute(let base, _), .toOne(let base, _), .cast(let base, _), .identity(let base),
            .negative(let base), .textLength(let base):
            return base.isNil(with: sources)
        case .arithmetic(_, let left, let right), .textOrder(_, let left, let right):
            return left.isNil(with: sources) || right.isNil(with: sources)
        case .conditional(.compare(.notEqual, let subject, .literal(.null)), _, .literal(.null)):
            return subject.isNil(with: sources)
        default:
            return false
        }
    }
}
