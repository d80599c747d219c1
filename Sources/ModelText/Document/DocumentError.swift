/// Why a model file cannot be used, with the position of the problem.
package enum DocumentError: Error, Hashable {
    case markup(MarkupError)
    case notAModel(element: String)
    case missingAttribute(String, element: String, line: Int)
    /// The value belongs to the file format; it is no user data.
    case unknownValue(String, attribute: String, element: String, line: Int)
    case tooDeep(element: String, line: Int)
    /// A package (`.xcdatamodeld`, `.momd`) that lacks the version it declares as current.
    case missingVersion(String)
    case noVersions
    case unreadable(String)
    /// A property that no store can have, as it lacks a type or a destination.
    case unsuitableProperty(entity: String, property: String)
}

extension DocumentError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .markup(let error): error.description
        case .notAModel(let element): "The file's outermost element is <\(element)>; a model has <model>."
        case .missingAttribute(let attribute, let element, let line):
            "<\(element)> in line \(line) lacks the attribute '\(attribute)'."
        case .unknownValue(let value, let attribute, let element, let line):
            "<\(element)> in line \(line) has the unknown value '\(value)' for '\(attribute)'."
        case .tooDeep(let element, let line):
            "<\(element)> in line \(line) is nested more deeply than any real model."
        case .missingVersion(let name):
            "The model's current version is '\(name)', which is not there; choose another one or add it."
        case .noVersions: "The model has no versions."
        case .unsuitableProperty(let entity, let property):
            "'\(entity).\(property)' of the model has no type or destination that a store can have."
        case .unreadable(let name): "'\(name)' cannot be read as a model."
        }
    }
}
