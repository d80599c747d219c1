import Foundation

/// The options of a store, as programs set them.
enum StoreOptions {
    static func isOn(_ option: String, _ options: [AnyHashable: Any]?) -> Bool {
        switch options?[option] {
        case let flag as Bool: flag
        case let number as NSNumber: number.boolValue
        // A dictionary of settings counts as true.
        case is [AnyHashable: Any], is NSDictionary: true
        default: false
        }
    }

    /// Values may be numbers, too; on Apple's systems they are texts.
    static func pragmas(_ options: [AnyHashable: Any]?) -> [String: String] {
        let option = options?[NSSQLitePragmasOption]
        let settings = option as? [String: Any] ?? (option as? NSDictionary) as? [String: Any] ?? [:]
        return settings.mapValues { value in
            (value as? NSNumber)?.stringValue ?? (value as? NSString).map { String($0) } ?? "\(value)"
        }
    }

    static func number(_ option: String, _ options: [AnyHashable: Any]?) -> Double? {
        switch options?[option] {
        case let number as NSNumber: number.doubleValue
        case let number as Double: number
        case let number as Int: Double(number)
        default: nil
        }
    }
}
