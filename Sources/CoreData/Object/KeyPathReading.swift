import Foundation

/// Values by key path: through to-one relationships, and through to-many ones to the values of all members.
enum KeyPathReading {
    static func value(of object: NSManagedObject, _ keyPath: String) -> Any? {
        value(of: object, keyPath.split(separator: ".").map(String.init)[...])
    }

    private static func value(of subject: Any?, _ path: ArraySlice<String>) -> Any? {
        guard let key = path.first else { return subject }
        let rest = path.dropFirst()
        switch subject {
        case let object as NSManagedObject:
            return value(of: key == "self" ? object : object.value(forKey: key), rest)
        case let dictionary as [String: Any]: return value(of: dictionary[key], rest)
        case let set as NSSet: return collected(set.allObjects, key, rest).map { NSSet(array: $0) } ?? count(set.count, key)
        case let set as NSOrderedSet:
            return collected(set.array, key, rest).map { NSOrderedSet(array: $0) } ?? count(set.count, key)
        case let array as [Any]: return collected(array, key, rest) ?? count(array.count, key)
        default: return nil
        }
    }

    /// - Returns: `nil` for an operator.
    private static func collected(_ members: [Any], _ key: String, _ rest: ArraySlice<String>) -> [Any]? {
        if key.hasPrefix("@") { return nil }
        return members.compactMap { value(of: $0, [key] + rest) }
    }

    private static func count(_ count: Int, _ key: String) -> Any? {
        key == "@count" ? NSNumber(value: count) : nil
    }
}
