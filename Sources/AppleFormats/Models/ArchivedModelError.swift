import ObjectGraph

/// The reason why an archived model cannot be read. The rows of its store may still be intact: open it with the app's own
/// model.
package enum ArchivedModelError: Error, Hashable {
    case notCompressed
    case notAnArchive(PropertyListError)
    case notAModel
    case missingField(className: String, field: String)
    /// A name that is not valid for a table or column.
    case unusableName(String)
    case unknownAttributeType(entity: String, attribute: String, number: Int64)
    case tooLarge
    case impossibleModel(ModelError)
}

extension ArchivedModelError: CustomStringConvertible {
    package var description: String {
        "The file's own model cannot be read: \(reason) Open the file with the app's model instead."
    }

    /// Returns the error without its advice about changing the model, which does not help the owner of a file.
    private static func fact(_ error: ModelError) -> String {
        let fact = error.description.prefix { $0 != ";" }
        return fact.hasSuffix(".") ? String(fact) : fact + "."
    }

    private var reason: String {
        switch self {
        case .notCompressed: "its bytes cannot be decompressed."
        case .notAnArchive(let error): error.description
        case .notAModel: "its archive holds no managed object model."
        case .missingField(let className, let field): "an archived \(className) lacks \(field)."
        case .unusableName(let name): "'\(name)' cannot name an entity or property."
        case .unknownAttributeType(let entity, let attribute, let number):
            "'\(entity).\(attribute)' has the unknown type \(number)."
        case .tooLarge: "it is larger than any real model."
        case .impossibleModel(let error): Self.fact(error)
        }
    }
}
