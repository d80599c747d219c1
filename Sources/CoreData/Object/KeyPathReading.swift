import Foundation
import ObjectGraph
import PredicateFormat

/// Values by key path, which follows to-one relationships, and to-many relationships to the values of all members. Operators
/// (`@count`, `@avg`) are those of predicates.
enum KeyPathReading {
    /// - Parameter object: a managed object, a dictionary, or a collection of these.
    static func value(of object: Any, _ keyPath: String) -> Any? {
        value(of: object, keyPath.split(separator: ".").map(String.init)[...])
    }

    private static func value(of subject: Any?, _ path: ArraySlice<String>) -> Any? {
        guard let key = path.first else { return subject }
        if key.hasPrefix("@") { return calculated(subject, path) }
        let rest = path.dropFirst()
        switch subject {
        case let object as NSManagedObject:
            return value(of: key == "self" ? object : object.value(forKey: key), rest)
        case let dictionary as [String: Any]: return value(of: dictionary[key], rest)
        case let set as NSSet: return value(of: NSSet(array: collected(set.allObjects, key)), rest)
        case let set as NSOrderedSet: return value(of: NSOrderedSet(array: collected(set.array, key)), rest)
        case let array as [Any]: return value(of: collected(array, key), rest)
        default: return nil
        }
    }

    /// The values of one key of all members; the rest of the path is applied to the collection, for operators.
    private static func collected(_ members: [Any], _ key: String) -> [Any] {
        members.compactMap { value(of: $0, [key]) }
    }

    /// Evaluates a path that begins with an operator.
    private static func calculated(_ subject: Any?, _ path: ArraySlice<String>) -> Any? {
        switch FormatEvaluator().constant(.keyPath(path.joined(separator: ".")), of: subject) {
        case .integer(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .decimal(let number): NSDecimalNumber(decimal: number)
        case let other: other.programValue
        }
    }
}
