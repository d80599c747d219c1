import Foundation
import ObjectGraph

/// Classes of managed objects by name. There is no runtime here that knows every class, so a name is looked for
///
/// 1. among the classes that were registered, or used before: by full name (`Zoo.Animal`), then by its last part;
/// 2. by its full name in the program, which finds classes that are not nested in others and not private.
enum ManagedClasses {
    private struct Table {
        var byFullName: [String: NSManagedObject.Type] = [:]
        var byLastName: [String: NSManagedObject.Type] = [:]
        /// Names that the log has told of.
        var missing: Set<String> = []
    }

    private static let table = Locked(Table())

    static func register(_ type: NSManagedObject.Type) {
        let name = String(reflecting: type)
        table.withLock { table in
            guard table.byFullName[name] == nil else { return }
            table.byFullName[name] = type
            table.byLastName[lastName(name)] = type
        }
    }

    /// - Returns: `nil` when there is no such class, which the log says.
    static func type(named name: String) -> NSManagedObject.Type? {
        if name == "NSManagedObject" || name.isEmpty { return NSManagedObject.self }
        let known = table.withLock { $0.byFullName[name] ?? $0.byLastName[lastName(name)] }
        if let known { return known }
        if let found = NSClassFromString(name) as? NSManagedObject.Type {
            register(found)
            return found
        }
        guard table.withLock({ $0.missing.insert(name).inserted }) else { return nil }
        CoreDataLog.logger.warning(
            """
            No class '\(name)' was found; its objects are made as NSManagedObject. Give the class's full name \
            (Module.Class), or call register() on the class before the first fetch.
            """)
        return nil
    }

    /// Whether an entity's class name means this class.
    static func name(_ name: String, means type: NSManagedObject.Type) -> Bool {
        let full = String(reflecting: type)
        return name == full || (!name.contains(".") && name == lastName(full))
    }

    static func lastName(_ name: String) -> String {
        name.split(separator: ".").last.map(String.init) ?? name
    }
}
