import Foundation
import ObjectGraph

/// A value computed from all models of a group: their number, or the sum, average, minimum or maximum of one of their
/// properties, which may belong to a model at the end of to-one relationships (`\Animal.category?.weight`). Nil values
/// are ignored.
///
/// This type is not part of Apple's SwiftData.
public struct Aggregate<Model: PersistentModel, Value>: @unchecked Sendable {
    // Immutable values; a key path only lacks the annotation.
    let term: AggregateTerm

    fileprivate init(
        _ function: AggregateFunction, of keyPath: AnyKeyPath, with numbers: AggregateNumbers = .reals
    ) {
        term = AggregateTerm(function: function, keyPath: keyPath, numbers: numbers)
    }
}

/// An aggregate without its types.
struct AggregateTerm {
    let function: AggregateFunction
    let keyPath: AnyKeyPath
    let numbers: AggregateNumbers
}

extension Aggregate where Value == Int {
    /// The number of models.
    public static var count: Self { Self(.count, of: \Model.persistentModelID) }

    /// Returns the number of models whose property is not nil.
    public static func count<Property>(_ keyPath: KeyPath<Model, Property?>) -> Self { Self(.count, of: keyPath) }

    /// Returns the number of different values of a property.
    public static func countDistinct<Property>(_ keyPath: KeyPath<Model, Property>) -> Self {
        Self(.distinctCount, of: keyPath)
    }

    /// Returns the sum of integers; 0 if there are none. A fetch throws if the sum exceeds 64 bits.
    public static func sum<Number: BinaryInteger>(_ keyPath: KeyPath<Model, Number>) -> Self { Self(.sum, of: keyPath) }

    /// Returns the sum of integers, without nil values; 0 if there are none. A fetch throws if the sum exceeds 64 bits.
    public static func sum<Number: BinaryInteger>(_ keyPath: KeyPath<Model, Number?>) -> Self {
        Self(.sum, of: keyPath)
    }
}

extension Aggregate where Value == Double {
    /// Returns the sum of numbers; 0 if there are none.
    public static func sum<Number: BinaryFloatingPoint>(_ keyPath: KeyPath<Model, Number>) -> Self {
        Self(.sum, of: keyPath)
    }

    /// Returns the sum of numbers, without nil values; 0 if there are none.
    public static func sum<Number: BinaryFloatingPoint>(_ keyPath: KeyPath<Model, Number?>) -> Self {
        Self(.sum, of: keyPath)
    }
}

extension Aggregate where Value == Decimal {
    /// Returns the sum of decimals; 0 if there are none.
    public static func sum(_ keyPath: KeyPath<Model, Decimal>) -> Self { Self(.sum, of: keyPath, with: .decimals) }

    /// Returns the sum of decimals, without nil values; 0 if there are none.
    public static func sum(_ keyPath: KeyPath<Model, Decimal?>) -> Self { Self(.sum, of: keyPath, with: .decimals) }
}

extension Aggregate where Value == Double? {
    /// Returns the average of integers; `nil` if there are none.
    public static func average<Number: BinaryInteger>(_ keyPath: KeyPath<Model, Number>) -> Self {
        Self(.average, of: keyPath)
    }

    /// Returns the average of integers, without nil values; `nil` if there are none.
    public static func average<Number: BinaryInteger>(_ keyPath: KeyPath<Model, Number?>) -> Self {
        Self(.average, of: keyPath)
    }

    /// Returns the average of numbers; `nil` if there are none.
    public static func average<Number: BinaryFloatingPoint>(_ keyPath: KeyPath<Model, Number>) -> Self {
        Self(.average, of: keyPath)
    }

    /// Returns the average of numbers, without nil values; `nil` if there are none.
    public static func average<Number: BinaryFloatingPoint>(_ keyPath: KeyPath<Model, Number?>) -> Self {
        Self(.average, of: keyPath)
    }
}

extension Aggregate where Value == Decimal? {
    /// Returns the average of decimals; `nil` if there are none.
    public static func average(_ keyPath: KeyPath<Model, Decimal>) -> Self {
        Self(.average, of: keyPath, with: .decimals)
    }

    /// Returns the average of decimals, without nil values; `nil` if there are none.
    public static func average(_ keyPath: KeyPath<Model, Decimal?>) -> Self {
        Self(.average, of: keyPath, with: .decimals)
    }
}

extension Aggregate {
    /// Returns the least value of a property; `nil` if there is none. Strings are compared by their UTF-8 bytes.
    public static func minimum<Property: Comparable>(
        _ keyPath: KeyPath<Model, Property>
    ) -> Self where Value == Property? { Self(.minimum, of: keyPath) }

    /// Returns the least value of a property, without nil values; `nil` if there is none. Strings are compared by their
    /// UTF-8 bytes.
    public static func minimum<Property: Comparable>(
        _ keyPath: KeyPath<Model, Property?>
    ) -> Self where Value == Property? { Self(.minimum, of: keyPath) }

    /// Returns the greatest value of a property; `nil` if there is none. Strings are compared by their UTF-8 bytes.
    public static func maximum<Property: Comparable>(
        _ keyPath: KeyPath<Model, Property>
    ) -> Self where Value == Property? { Self(.maximum, of: keyPath) }

    /// Returns the greatest value of a property, without nil values; `nil` if there is none. Strings are compared by
    /// their UTF-8 bytes.
    public static func maximum<Property: Comparable>(
        _ keyPath: KeyPath<Model, Property?>
    ) -> Self where Value == Property? { Self(.maximum, of: keyPath) }
}
