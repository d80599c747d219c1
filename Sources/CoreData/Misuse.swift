import Foundation

/// Programs that cannot mean what they say. Apple's framework raises an exception for them, which Swift cannot catch; here
/// they stop with its text. This is the one place where the library ends a process. Nothing that comes from a store, a file or
/// a user leads here, but for the value that is missing where a class declares a property of an object type as not optional.
enum Misuse {
    static func stop(_ text: String) -> Never {
        CoreDataLog.logger.critical("\(text)")
        // The program names a property, class or entity that its own model does not have.
        fatalError(text)
    }

    static func unknownKey(_ key: String, of object: NSManagedObject, _ action: String) -> Never {
        let entity = object.entity.name ?? ""
        stop(
            "[<\(type(of: object)) \(object.objectID.uriRepresentation())> \(action)]: the entity \(entity) is not key value "
                + "coding-compliant for the key \"\(key)\".")
    }

    /// - Parameter wanted: what the property's type asks for.
    static func missingValue(_ key: String, of object: NSManagedObject, _ wanted: String, _ advice: String) -> Never {
        stop(
            "'\(object.entity.name ?? "").\(key)' of \(object.objectID.uriRepresentation()) has no \(wanted), and its "
                + "property is not optional. \(advice)")
    }
}
