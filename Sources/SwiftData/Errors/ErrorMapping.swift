import Foundation
import ObjectGraph
import StoreDeletion

/// Maps errors of the engine and the stores to the types and codes that programs check for.
enum ErrorMapping {
    static func saving(_ error: any Error) -> any Error {
        switch error {
        case let error as ValidationError: cocoa(error)
        case DeleteError.refused(let refusals): cocoa(refusals)
        case is DeleteError: DeletionError(error) ?? error
        case let refusal as DelegateRefusal: refusal.reason
        case let error as UniqueViolation: cocoa(error)
        case SaveError.conflictsPersist: CocoaError(.conflict, text: String(describing: error))
        case SaveError.refused: SwiftDataError.modelValidationFailure.stating(String(describing: error))
        case is SaveError, is ChangeSetError:
            CocoaError(.saving, text: String(describing: error), userInfo: [NSUnderlyingErrorKey: error])
        case let error as any DatabaseError:
            CocoaError(.storeError, text: error.description, userInfo: [NSUnderlyingErrorKey: error])
        case StoreGroupError.readOnly, StoreAccessError.readOnly:
            CocoaError(.fileWriteNoPermission, userInfo: [NSLocalizedDescriptionKey: String(describing: error)])
        default: error
        }
    }

    static func history(_ error: any Error) -> any Error {
        switch error {
        case HistoryError.tokenExpired, HistoryError.tokenOfOthers:
            SwiftDataError.historyTokenExpired.explained(String(describing: error))
        case HistoryError.historyNotRecorded:
            SwiftDataError.invalidTransactionFetchRequest.explained(String(describing: error))
        default: saving(error)
        }
    }

    static func opening(_ error: any Error) -> any Error {
        if error is SwiftDataError { return error }
        return SwiftDataError.loadIssueModelContainer.explained(String(describing: error))
    }

    /// Maps an error of opening one file; the result names the file's path.
    static func opening(_ error: any Error, at url: URL) -> any Error {
        let path = url.path
        guard let error = error as? SwiftDataError else {
            let text = String(describing: error)
            return text.contains(path)
                ? SwiftDataError.loadIssueModelContainer.explained(text)
                : SwiftDataError.loadIssueModelContainer.stating(
                    "The container could not open its store at \(path). \(text)")
        }
        return error.message.contains(path) ? error : error.stating("\(error.message) The store is at \(path).")
    }

    private static func cocoa(_ violation: UniqueViolation) -> CocoaError {
        let ids = violation.ids.map(PersistentIdentifier.init)
        return .validation(
            .notUnique, object: ids.first, property: violation.properties.joined(separator: ", "),
            text: violation.description, more: [CocoaError.ValidationKey.affectedObjects: ids])
    }

    private static func cocoa(_ refusals: [DeleteRefusal]) -> any Error {
        CocoaError.combining(refusals.map(cocoa)) ?? DeleteError.refused(refusals)
    }

    private static func cocoa(_ refusal: DeleteRefusal) -> CocoaError {
        let number: CocoaErrorNumber =
            switch refusal.reason {
            case .denied: .deniedDelete
            case .mandatory: .missingMandatoryProperty
            case .tooFew: .tooFewDestinations
            }
        let property =
            switch refusal.reason {
            case .denied: refusal.relationship.relationship
            case .mandatory(let inverse, _), .tooFew(let inverse, _): inverse.relationship
            }
        var userInfo: [String: any Sendable] = [
            CocoaError.ValidationKey.affectedObjects: refusal.examples.map(PersistentIdentifier.init)
        ]
        userInfo[NSLocalizedFailureReasonErrorKey] = refusal.failureReason
        return .validation(
            number, object: refusal.examples.first.map(PersistentIdentifier.init), property: property,
            text: refusal.description, more: userInfo)
    }

    private static func cocoa(_ error: ValidationError) -> CocoaError {
        switch error {
        case .missingValue(let id, let property):
            return validation(.missingMandatoryProperty, id, property, error)
        case .unwritableValue(let id, let property):
            return validation(.invalidValue, id, property, error)
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
