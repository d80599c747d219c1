import Foundation

/// Programming errors. Apple's framework raises an exception for them, which Swift cannot catch; here the process ends with the
/// exception's text. This is the only place where the library ends a process. Data of a store, a file or a user never leads
/// here, with one exception: a missing value of a property that a class declares with an object type that is not optional.
enum Misuse {
    static func stop(_ text: String) -> Never {
        CoreDataLog.logger.critical("\(text)")
        // The program uses a property, class or entity that its own model does not have.
        fatalError(text)
    }

    static func unknownKey(_ key: String, of object: NSManagedObject, _ action: String) -> Never {
        let entity = object.entity.name ?? ""
        stop(
            "[<\(type(of: object)) \(object.objectID.uriRepresentation())> \(action)]: the entity \(entity) is not key value "
                + "coding-compliant for the key \"\(key)\".")
    }

    /// - Parameter wanted: the kind of value that the property's type requires.
    static func missingValue(_ key: String, of object: NSManagedObject, _ wanted: String, _ advice: String) -> Never {
        stop(
            "'\(object.entity.name ?? "").\(key)' of \(object.objectID.uriRepresentation()) has no \(wanted), and its "
                + "property is not optional. \(advice)")
    }
}
