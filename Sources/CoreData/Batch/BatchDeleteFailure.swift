import Foundation
import ObjectGraph
import StoreDeletion

/// The errors of batch deletes, with Apple's texts and codes.
package enum BatchDeleteFailure {
    /// Apple's framework puts the conflicts of a save under this key; here its value is empty.
    static let conflictsKey = "_NSCoreDataOptimisticLockingFailureConflictsKey"

    static func error(_ error: any Error) -> any Error {
        switch error {
        case let refusal as DelegateRefusal: refusal.reason
        case DeleteError.refused(let refusals): refused(refusals)
        case DeleteError.tooManyRows, DeleteError.storeMoved:
            CocoaError(.persistentStoreOperation, text: String(describing: error))
        case let error as UntranslatableExpression:
            CocoaError(.coreData, text: "\(error.description) Nothing was deleted.")
        default: ErrorMapping.saving(error, nil)
        }
    }

    /// The error of a mandatory inverse if there is one, else that of the first rule. If several rules forbid the delete, its
    /// `NSDetailedErrors` has them all.
    private static func refused(_ refusals: [DeleteRefusal]) -> CocoaError {
        let errors = refusals.map(refused)
        guard let leading = errors.first(where: { $0.code == .persistentStoreSaveConflicts }) ?? errors.first else {
            return CocoaError(.persistentStoreOperation, text: "The delete was refused.")
        }
        guard errors.count > 1 else { return leading }
        let text = leading.userInfo[NSLocalizedDescriptionKey] as? String ?? ""
        return CocoaError(
            leading.code, text: "\(text) In all, \(errors.count) rules refuse it; see NSDetailedErrors.",
            userInfo: leading.userInfo.merging([NSDetailedErrorsKey: errors]) { $1 })
    }

    private static func refused(_ refusal: DeleteRefusal) -> CocoaError {
        let examples = refusal.examples.map { NSManagedObjectID($0, nil) }
        switch refusal.reason {
        case .denied:
            return .validation(
                .validationRelationshipDeniedDelete, nil, refusal.relationship.relationship, text: refusal.description,
                more: [NSAffectedObjectsErrorKey: examples])
        case .tooFew(let inverse, _):
            return .validation(
                .validationRelationshipLacksMinimumCount, nil, inverse.relationship, text: refusal.description,
                more: [NSAffectedObjectsErrorKey: examples])
        case .mandatory(let inverse, _):
            let reason = "Constraint violation: \(refusal.mandatoryInverseText ?? "")"
            CoreDataLog.logger.error("\(logLine(reason))")
            return CocoaError(
                .persistentStoreSaveConflicts, text: "\(reason). \(refusal.description)",
                userInfo: [
                    NSLocalizedFailureReasonErrorKey: reason, conflictsKey: [""],
                    NSValidationKeyErrorKey: inverse.relationship, NSAffectedObjectsErrorKey: examples,
                ])
        }
    }

    /// The line in the log.
    package static func logLine(_ reason: String) -> String {
        "CoreData: error: Unhandled error from executeBatchDeleteRequest \(reason) and userInfo "
            + "{ \"\(conflictsKey)\" = ( \"\" ); }"
    }
}
