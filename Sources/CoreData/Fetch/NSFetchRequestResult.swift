import Foundation

/// A type of results of fetch requests: managed objects, their identifiers, dictionaries or numbers.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// The forms in which a fetch request returns its results.
public struct NSFetchRequestResultType: OptionSet, Sendable {
    /// The number of the form.
    public let rawValue: UInt

    /// Creates a form from its number.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Managed objects.
    public static let managedObjectResultType: NSFetchRequestResultType = []
    /// Identifiers of objects, as `NSManagedObjectID`.
    public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
    /// Dictionaries of values, as `NSDictionary`.
    public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
    /// The number of results, as one `NSNumber`.
    public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}
