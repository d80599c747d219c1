import Foundation
import ObjectGraph
import SQLiteStore

/// Gives errors of the engine and the store the types and codes that programs look for.
enum ErrorMapping {
    static func saving(_ error: any Error) -> any Error {
        switch error {
        case let error as ValidationError: cocoa(error)
        case StoreSetError.readOnly:
            CocoaError(.fileWriteNoPermission, userInfo: [NSLocalizedDescriptionKey: String(describing: error)])
        default: error
        }
    }

    static func opening(_ error: any Error) -> any Error {
        if error is SwiftDataError { return error }
        return SwiftDataError.loadIssueModelContainer.explained(String(describing: error))
    }

    private static func cocoa(_ error: ValidationError) -> CocoaError {
        switch error {
        case .missingValue(let id, let property):
            return validation(.missingMandatoryProperty, id, property, error)
        case .tooFew(let id, let relationship, _, _):
            return validation(.tooFewDestinations, id, relationship, error)
        case .tooMany(let id, let relationship, _, _):
            return validation(.tooManyDestinations, id, relationship, error)
        case .deniedDelete(let id, let relationship, _, _):
            return validation(.deniedDelete, id, relationship, error)
        case .several(let errors):
            return CocoaError.combining(errors.map(cocoa))
                ?? CocoaError(.severalValidationErrors, text: error.description)
        }
    }

    private static func validation(
        _ number: CocoaErrorNumber, _ id: ObjectID, _ property: String, _ error: ValidationError
    ) -> CocoaError {
        .validation(number, object: PersistentIdentifier(id), property: property, text: error.description)
    }
}
