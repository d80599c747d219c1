import AppleFormats
import Foundation

/// Keyed archives of collections of plain values, as Apple's default transformer writes them.
enum KeyedArchive {
    /// Whether a collection type consists of values that a Foundation collection contains directly.
    static func canHold(_ type: any Any.Type) -> Bool {
        if plainTypes.contains(ObjectIdentifier(type)) { return true }
        guard let collection = type as? any StoredCollection.Type else { return false }
        if type is any StringKeyed.Type == false, collection.storedElementTypes.count == 2 { return false }
        return collection.storedElementTypes.allSatisfy(canHold)
    }

    private static let plainTypes: Set<ObjectIdentifier> = [
        ObjectIdentifier(String.self), ObjectIdentifier(Int.self), ObjectIdentifier(Double.self),
        ObjectIdentifier(Bool.self), ObjectIdentifier(Date.self), ObjectIdentifier(Data.self),
    ]

    static func data<C: Codable>(of value: C) -> Data? {
        guard let list = try? PropertyListEncoder().encode(value),
            let object = try? PropertyListSerialization.propertyList(from: list, options: [], format: nil)
        else { return nil }
        return try? NSKeyedArchiver.archivedData(withRootObject: foundation(object), requiringSecureCoding: true)
    }

    static func value<C: Codable>(of type: C.Type, in data: Data) -> C? {
        guard let object = try? ColumnArchive(data).object(),
            let list = try? PropertyListSerialization.data(fromPropertyList: plain(object), format: .binary, options: 0)
        else { return nil }
        return try? PropertyListDecoder().decode(type, from: list)
    }

    private static func foundation(_ object: Any) -> NSObject {
        switch object {
        case let list as [Any]: NSArray(array: list.map(foundation))
        case let map as [String: Any]:
            NSDictionary(
                dictionary: Dictionary(uniqueKeysWithValues: map.map { (NSString(string: $0), foundation($1)) }))
        case let text as String: NSString(string: text)
        case let date as Date: NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case let data as Data: NSData(data: data)
        case let number as NSNumber: number
        case let flag as Bool: NSNumber(value: flag)
        case let number as Int: NSNumber(value: number)
        case let number as Double: NSNumber(value: number)
        default: NSNull()
        }
    }

    private static func plain(_ object: Any) -> Any {
        switch object {
        case let list as NSArray: list.map(plain)
        case let set as NSSet: set.map(plain)
        case let map as NSDictionary:
            // Keys of different types, 1 and "1", may have the same text.
            Dictionary(map.map { (String(describing: $0.key), plain($0.value)) }) { first, _ in first }
        default: object
        }
    }
}

/// A dictionary that a property list can hold.
protocol StringKeyed {}
extension Dictionary: StringKeyed where Key == String {}
