import Foundation
import ObjectGraph

/// A condition on the aggregates of a group, made by comparing aggregates with values: `.count > 3 && .sum(\.weight) < 100`.
/// An aggregate that is nil equals nil, and meets no other comparison but inequality.
///
/// This type is not part of Apple's SwiftData.
public struct GroupPredicate<Model: PersistentModel>: @unchecked Sendable {
    // Immutable values; key paths and compared values only lack the annotation.
    let condition: Condition

    indirect enum Condition {
        case compare(ObjectGraph.ComparisonOperator, AggregateTerm, Any?, type: any Any.Type)
        case and(Condition, Condition)
        case or(Condition, Condition)
        case not(Condition)
    }

    private init(_ condition: Condition) { self.condition = condition }

    fileprivate init<Value>(
        _ comparison: ObjectGraph.ComparisonOperator, _ aggregate: Aggregate<Model, Value>, _ value: Value
    ) {
        condition = .compare(
            comparison, aggregate.term, PredicateConstant.flattened(value), type: Value.self)
    }

    /// Whether both conditions are met.
    public static func && (left: Self, right: Self) -> Self { Self(.and(left.condition, right.condition)) }

    /// Whether at least one of the conditions is met.
    public static func || (left: Self, right: Self) -> Self { Self(.or(left.condition, right.condition)) }

    /// Whether the condition is not met.
    public static prefix func ! (predicate: Self) -> Self { Self(.not(predicate.condition)) }
}

extension Aggregate {
    /// Whether the aggregate equals the value.
    public static func == (aggregate: Self, value: Value) -> GroupPredicate<Model> {
        GroupPredicate(.equal, aggregate, value)
    }

    /// Whether the aggregate differs from the value.
    public static func != (aggregate: Self, value: Value) -> GroupPredicate<Model> {
        GroupPredicate(.notEqual, aggregate, value)
    }

    /// Whether the aggregate is less than the value.
    public static func < (aggregate: Self, value: Value) -> GroupPredicate<Model> {
        GroupPredicate(.less, aggregate, value)
    }

    /// Whether the aggregate is at most the value.
    public static func <= (aggregate: Self, value: Value) -> GroupPredicate<Model> {
        GroupPredicate(.lessOrEqual, aggregate, value)
    }

    /// Whether the aggregate is greater than the value.
    public static func > (aggregate: Self, value: Value) -> GroupPredicate<Model> {
        GroupPredicate(.greater, aggregate, value)
    }

    /// Whether the aggregate is at least the value.
    public static func >= (aggregate: Self, value: Value) -> GroupPredicate<Model> {
        GroupPredicate(.greaterOrEqual, aggregate, value)
    }
}
