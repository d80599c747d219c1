import Foundation
import ObjectGraph

/// The domain of SQLite's errors, and the `userInfo` key of SQLite's error code in other errors.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
/// The `userInfo` key of the single errors of an error that stands for several.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The `userInfo` key of the object whose validation failed.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The `userInfo` key of the name of the property whose validation failed.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The `userInfo` key of the validation predicate that the value does not satisfy.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The `userInfo` key of the value that is not valid.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The `userInfo` key of the stores that the error concerns.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The `userInfo` key of the objects, or their identifiers, that the error concerns.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The `userInfo` key of the conflicts of a save: `NSMergeConflict` or `NSConstraintConflict` objects.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"

extension CocoaError {
    /// The object whose validation failed.
    public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }
    /// The name of the property whose validation failed.
    public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }
    /// The validation predicate that the value does not satisfy.
    public var validationPredicate: NSPredicate? { userInfo[NSValidationPredicateErrorKey] as? NSPredicate }
    /// The value that is not valid.
    public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }
    /// The stores that the error concerns.
    public var affectedStores: [AnyObject]? { userInfo[NSAffectedStoresErrorKey] as? [AnyObject] }
    /// The objects, or their identifiers, that the error concerns.
    public var affectedObjects: [AnyObject]? { userInfo[NSAffectedObjectsErrorKey] as? [AnyObject] }
    /// The version conflicts of a save that failed; `nil` for other errors, and for conflicts of uniqueness constraints.
    public var persistentStoreSaveConflicts: [NSMergeConflict]? {
        userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    }
}

extension CocoaError {
    /// - Parameter text: what failed and how to proceed; becomes the localized description.
    init(_ code: CocoaError.Code, text: String, userInfo: [String: Any] = [:]) {
        var userInfo = userInfo
        userInfo[NSLocalizedDescriptionKey] = text
        self.init(code, userInfo: userInfo)
    }

    /// The error of one broken rule of one object and property.
    /// - Parameters:
    ///   - text: what failed and how to proceed, for developers.
    ///   - shown: the model's own text for users of the program; a text by the code, unless given.
    static func validation(
        _ code: CocoaError.Code, _ object: NSManagedObject?, _ key: String?, value: Any? = nil,
        predicate: NSPredicate? = nil, text: String, shown: String? = nil, more: [String: Any] = [:]
    ) -> CocoaError {
        var userInfo = more
        userInfo[NSDebugDescriptionErrorKey] = text
        userInfo[NSValidationObjectErrorKey] = object
        userInfo[NSValidationKeyErrorKey] = key
        userInfo[NSValidationValueErrorKey] = value
        userInfo[NSValidationPredicateErrorKey] = predicate
        let texts = ValidationText(of: object)
        return CocoaError(code, text: shown.map { texts.text($0) } ?? texts.text(code, key), userInfo: userInfo)
    }

    static func missingValue(_ object: NSManagedObject, _ key: String) -> CocoaError {
        .validation(
            .validationMissingMandatoryProperty, object, key,
            text:
                "'\(object.entity.name ?? "").\(key)' of \(object.record.id.uriText) must have a value; set one or make "
                + "the property optional.")
    }

    /// The only error unchanged, or one error that contains all; `nil` for an empty list.
    static func combining(_ errors: [any Error]) -> (any Error)? {
        errors.count > 1 ? several(errors) : errors.first
    }

    /// Joins the detailed errors of the given errors, so that none is nested in another.
    static func several(_ errors: [any Error]) -> CocoaError {
        let all = errors.flatMap { ($0 as? CocoaError)?.detailedErrors ?? [$0] }
        return CocoaError(
            .validationMultipleErrors, text: "Several values are not valid.",
            userInfo: [
                NSDetailedErrorsKey: all,
                NSDebugDescriptionErrorKey: "\(all.count) rules of the model are broken; see NSDetailedErrors.",
            ])
    }

    private var detailedErrors: [any Error] {
        code == .validationMultipleErrors ? userInfo[NSDetailedErrorsKey] as? [any Error] ?? [self] : [self]
    }
}

/// Maps errors of the engine and the store to Core Data's codes.
enum ErrorMapping {
    static func saving(_ error: any Error, _ context: NSManagedObjectContext?) -> any Error {
        switch error {
        case is CocoaError: error
        case let refusal as PolicyRefusal: refusal.reason
        case let error as ValidationError: validation(error, context)
        case is CancellationError:
            CocoaError(.userCancelled, text: "It was cancelled and rolled back.")
        case StoreAccessError.readOnly:
            CocoaError(
                .persistentStoreSave, text: "The store was opened for reading only; nothing was written.",
                userInfo: [NSUnderlyingErrorKey: error])
        case StoreGroupError.readOnly: CocoaError(.persistentStoreSave, text: String(describing: error))
        case is StoreGroupError, is StoreClassError:
            CocoaError(.persistentStoreOperation, text: String(describing: error))
        case ObjectStoreError.readOnly: CocoaError(.persistentStoreSave, text: String(describing: error))
        case is StoreCapabilityError:
            CocoaError(.persistentStoreUnsupportedRequestType, text: String(describing: error))
        case let error as ChangeSetError: changeSet(error)
        case let error as UniqueViolation:
            CocoaError(
                .managedObjectConstraintValidation, text: error.description,
                userInfo: [NSUnderlyingErrorKey: error])
        case let error as any DatabaseError: database(error, .sqlite)
        case SaveError.conflictsPersist: CocoaError(.managedObjectMerge, text: String(describing: error))
        default:
            CocoaError(
                .persistentStoreSave, text: String(describing: error), userInfo: [NSUnderlyingErrorKey: error])
        }
    }

    static func reading(_ error: any Error) -> any Error {
        switch error {
        case is CocoaError: error
        case is CancellationError: CocoaError(.userCancelled, text: "It was cancelled while it was read.")
        case let error as any DatabaseError: database(error, .sqlite)
        default:
            CocoaError(
                .persistentStoreOperation, text: String(describing: error), userInfo: [NSUnderlyingErrorKey: error])
        }
    }

    static func history(_ error: any Error) -> any Error {
        switch error {
        case HistoryError.tokenExpired, HistoryError.tokenOfOthers:
            CocoaError(
                .persistentHistoryTokenExpired, text: String(describing: error),
                userInfo: [NSUnderlyingErrorKey: error])
        case StoreAccessError.readOnly: saving(error, nil)
        default: reading(error)
        }
    }

    /// - Parameter code: used unless other connections held a lock longer than the store's timeout.
    private static func database(_ error: any DatabaseError, _ code: CocoaError.Code) -> CocoaError {
        CocoaError(
            error.isBusy ? .persistentStoreTimeout : code, text: error.description,
            userInfo: [NSSQLiteErrorDomain: error.databaseCode, NSUnderlyingErrorKey: error])
    }

    static func whileOpening<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw opening(error)
        }
    }

    static func opening(_ error: any Error) -> any Error {
        switch error {
        case is CocoaError: error
        case let error as IncompatibleStoreError:
            CocoaError(
                .persistentStoreIncompatibleVersionHash, text: String(describing: error),
                userInfo: [NSUnderlyingErrorKey: error])
        case let error as any DatabaseError:
            database(error, error.isNotADatabase ? .fileReadCorruptFile : .persistentStoreOpen)
        case let error as StoreOpeningError: opening(error)
        default:
            CocoaError(.persistentStoreOpen, text: String(describing: error), userInfo: [NSUnderlyingErrorKey: error])
        }
    }

    /// A file that was refused before SQLite opened it gets the code that SQLite would report.
    private static func opening(_ error: StoreOpeningError) -> CocoaError {
        let (code, sqlite, path): (CocoaError.Code, Int?, String?) =
            switch error {
            case .noFile(let path): (.fileReadNoSuchFile, SQLiteCode.cannotOpen, path)
            case .tooShort(let path): (.fileReadCorruptFile, SQLiteCode.notADatabase, path)
            case .folder(let path), .cannotOpen(let path): (.persistentStoreOpen, SQLiteCode.cannotOpen, path)
            case .notAStore, .unusableEntityNumber, .noEntityNumbers: (.persistentStoreOpen, nil, nil)
            }
        var userInfo: [String: Any] = [NSUnderlyingErrorKey: error]
        userInfo[NSSQLiteErrorDomain] = sqlite
        userInfo[NSFilePathErrorKey] = path
        return CocoaError(code, text: error.description, userInfo: userInfo)
    }

    /// SQLite's result codes ("Result and Error Codes").
    private enum SQLiteCode {
        static let cannotOpen = 14
        static let notADatabase = 26
    }

    static func migrating(_ error: any Error) -> any Error {
        guard !(error is CocoaError) else { return error }
        let code: CocoaError.Code =
            switch error {
            case MappingError.missingDefault, MappingError.missingDestination: .migration
            case is MappingError: .migrationMissingMappingModel
            case StoreMigrationError.notUnique: .migrationConstraintViolation
            case StoreMigrationError.unknownSource: .migrationMissingSourceModel
            default: .migration
            }
        return CocoaError(code, text: String(describing: error), userInfo: [NSUnderlyingErrorKey: error])
    }

    private static func changeSet(_ error: ChangeSetError) -> CocoaError {
        switch error {
        case .unknownReference, .notARow: CocoaError(.managedObjectExternalRelationship, text: error.description)
        default: CocoaError(.persistentStoreSave, text: error.description)
        }
    }

    private static func validation(_ error: ValidationError, _ context: NSManagedObjectContext?) -> CocoaError {
        switch error {
        case .missingValue(let id, let property):
            return one(.validationMissingMandatoryProperty, id, property, error, context)
        case .unwritableValue(let id, let property):
            return one(.managedObjectValidation, id, property, error, context)
        case .tooFew(let id, let relationship, _, _):
            return one(.validationRelationshipLacksMinimumCount, id, relationship, error, context)
        case .tooMany(let id, let relationship, _, _):
            return one(.validationRelationshipExceedsMaximumCount, id, relationship, error, context)
        case .deniedDelete(let id, let relationship, _, _):
            return one(.validationRelationshipDeniedDelete, id, relationship, error, context)
        case .several(let errors):
            let all = errors.map { validation($0, context) }
            return all.count == 1 ? all[0] : .several(all)
        }
    }

    private static func one(
        _ code: CocoaError.Code, _ id: ObjectID, _ property: String, _ error: ValidationError,
        _ context: NSManagedObjectContext?
    ) -> CocoaError {
        .validation(code, context?.registeredObject(id), property, text: error.description)
    }
}
