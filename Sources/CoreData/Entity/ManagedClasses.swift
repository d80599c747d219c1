import Foundation
import ObjectGraph

/// Classes of managed objects by name. No runtime knows every class here, so a name is looked up
///
/// 1. among the classes that were registered, or used before: by full name (`Zoo.Animal`), or by the end of one;
/// 2. by its full name in the program, which finds classes that are not nested in others and not private;
/// 3. among the registered classes by its last part, if it is unique: a model may name the module of another program.
enum ManagedClasses {
    private struct Table {
        var byFullName: [String: NSManagedObject.Type] = [:]
        /// With their full names, in the order of registration.
        var byLastName: [String: [(name: String, type: NSManagedObject.Type)]] = [:]
        /// Missing names that were logged.
        var missing: Set<String> = []

        func type(endingIn name: String) -> NSManagedObject.Type? {
            byFullName[name] ?? byLastName[lastName(name)]?.first { $0.name.hasSuffix(".\(name)") }?.type
        }

        func onlyType(called name: String) -> NSManagedObject.Type? {
            guard let types = byLastName[lastName(name)], types.count == 1 else { return nil }
            return types.first?.type
        }
    }

    private static let table = Locked(Table())

    static func register(_ type: NSManagedObject.Type) {
        let name = String(reflecting: type)
        table.withLock { table in
            guard table.byFullName[name] == nil else { return }
            table.byFullName[name] = type
            table.byLastName[lastName(name), default: []].append((name, type))
        }
    }

    /// - Returns: `nil` if there is no such class, which is logged.
    static func type(named name: String) -> NSManagedObject.Type? {
        if name == "NSManagedObject" || name.isEmpty { return NSManagedObject.self }
        if let known = table.withLock({ $0.type(endingIn: name) }) { return known }
        if let found = NSClassFromString(name) as? NSManagedObject.Type {
            register(found)
            return found
        }
        if let only = table.withLock({ $0.onlyType(called: name) }) { return only }
        guard table.withLock({ $0.missing.insert(name).inserted }) else { return nil }
        CoreDataLog.logger.warning(
            """
            No class '\(name)' was found; its objects are made as NSManagedObject. Give the class's full name \
            (Module.Class), or call register() on the class before the first fetch.
            """)
        return nil
    }

    /// Whether an entity's class name refers to a class.
    static func name(_ name: String, means type: NSManagedObject.Type) -> Bool {
        let full = String(reflecting: type)
        return name == full || (!name.contains(".") && name == lastName(full))
    }

    static func lastName(_ name: String) -> String {
        name.split(separator: ".").last.map(String.init) ?? name
    }
}
