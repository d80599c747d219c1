import Foundation
import ObjectGraph

/// Converts values of managed objects, which are Foundation's objects, to the declared type of a property.
enum ManagedCast {
    static func value<Value>(_ any: Any?) -> Value? {
        guard let any else { return nil }
        // Foundation does not always convert to the nearest double.
        if Value.self is Double.Type, let decimal = any as? NSDecimalNumber {
            return decimal.decimalValue.storedDouble as? Value
        }
        if let value = any as? Value { return value }
        switch any {
        // Integers, Boolean values and decimals are all numbers.
        case let decimal as NSDecimalNumber:
            if let value = decimal.decimalValue as? Value { return value }
            return number(decimal)
        case let number as NSNumber: return self.number(number)
        // Dates as scalars are seconds since 2001-01-01 UTC.
        case let date as Date: return date.timeIntervalSinceReferenceDate as? Value
        default: break
        }
        guard let collection = Value.self as? any ManagedCollection.Type else { return nil }
        return collection.init(managedMembers: members(of: any)) as? Value
    }

    private static func number<Value>(_ number: NSNumber) -> Value? {
        switch Value.self {
        case is Bool.Type: number.boolValue as? Value
        case is Int.Type: Int(exactly: number.int64Value) as? Value
        case is Int16.Type: Int16(exactly: number.int64Value) as? Value
        case is Int32.Type: Int32(exactly: number.int64Value) as? Value
        case is Int64.Type: number.int64Value as? Value
        case is Double.Type: number.doubleValue as? Value
        case is Float.Type: number.floatValue as? Value
        case is Decimal.Type: number.decimalValue as? Value
        default: nil
        }
    }

    private static func members(of any: Any) -> [Any]? {
        switch any {
        case let set as NSSet: set.allObjects
        case let set as NSOrderedSet: set.array
        case let array as NSArray: array.map { $0 }
        default: any as? [Any]
        }
    }
}

/// Swift collections with which to-many relationships can be declared.
protocol ManagedCollection {
    /// `nil` when a member is not of the element's type.
    init?(managedMembers: [Any]?)
    var managedObject: NSObject { get }
}

extension Set: ManagedCollection {
    init?(managedMembers: [Any]?) {
        guard let members = managedMembers?.compactMap({ $0 as? Element }), members.count == managedMembers?.count
        else { return nil }
        self.init(members)
    }

    var managedObject: NSObject { NSSet(array: Swift.Array(self)) }
}

extension Array: ManagedCollection {
    init?(managedMembers: [Any]?) {
        guard let members = managedMembers?.compactMap({ $0 as? Element }), members.count == managedMembers?.count
        else { return nil }
        self.init(members)
    }

    var managedObject: NSObject { NSArray(array: self) }
}
