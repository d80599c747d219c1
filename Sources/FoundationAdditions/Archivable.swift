import Foundation

/// Converts Swift values into objects that an archiver supports. An unsupported object would terminate the process.
package enum Archivable {
    /// - Returns: `nil` for a value that cannot be archived, and for a collection that contains one.
    package static func object(for value: Any) -> NSObject? {
        switch value {
        case let set as NSOrderedSet: objects(for: set.array).map { NSOrderedSet(array: $0) }
        case let array as [Any]: objects(for: array).map { NSArray(array: $0) }
        case let set as Set<AnyHashable>: objects(for: set.map(\.base)).map { NSSet(array: $0) }
        case let dictionary as [AnyHashable: Any]: object(for: dictionary)
        default: (value as AnyObject) as? NSObject & NSCoding
        }
    }

    private static func objects(for values: [Any]) -> [NSObject]? {
        let objects = values.compactMap(object(for:))
        return objects.count == values.count ? objects : nil
    }

    private static func object(for dictionary: [AnyHashable: Any]) -> NSObject? {
        guard let keys = objects(for: dictionary.keys.map(\.base)), let values = objects(for: Array(dictionary.values))
        else { return nil }
        return NSDictionary(objects: values, forKeys: keys)
    }
}
