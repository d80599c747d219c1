import Foundation
import ObjectGraph

/// Values by key path: through to-one relationships, and through to-many ones to the values of all members. Operators
/// (`@count`, `@avg`) are those of predicates.
enum KeyPathReading {
    static func value(of object: NSManagedObject, _ keyPath: String) -> Any? {
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
        case let set as NSSet: return NSSet(array: collected(set.allObjects, path))
        case let set as NSOrderedSet: return NSOrderedSet(array: collected(set.array, path))
        case let array as [Any]: return collected(array, path)
        default: return nil
        }
    }

    private static func collected(_ members: [Any], _ path: ArraySlice<String>) -> [Any] {
        members.compactMap { value(of: $0, path) }
    }

    /// The path begins with an operator, which has all of it.
    private static func calculated(_ subject: Any?, _ path: ArraySlice<String>) -> Any? {
        switch FormatEvaluator().constant(.keyPath(path.joined(separator: ".")), of: subject) {
        case .integer(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .decimal(let number): NSDecimalNumber(decimal: number)
        case let other: other.programValue
        }
    }
}
