import Foundation
import ObjectGraph
import SQLiteStore

/// Domain of SQLite's own errors, and the key their number has in the `userInfo` of others.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
/// The single errors of an error that stands for several.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The object whose validation failed.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// Name of the property whose validation failed.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The predicate that the value did not pass.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The value that was refused.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// Stores that the error concerns.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// Objects that the error concerns.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The conflicts of a save: `NSMergeConflict` or `NSConstraintConflict`.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"

extension CocoaError {
    public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }
    public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }
    public var validationPredicate: NSPredicate? { userInfo[NSValidationPredicateErrorKey] as? NSPredicate }
    public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }
    public var affectedStores: [AnyObject]? { userInfo[NSAffectedStoresErrorKey] as? [AnyObject] }
    public var affectedObjects: [AnyObject]? { userInfo[NSAffectedObjectsErrorKey] as? [AnyObject] }
    public var persistentStoreSaveConflicts: [NSMergeConflict]? {
        userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    }
}

extension CocoaError {
    /// - Parameter text: what failed and what to do; becomes the localized description.
    init(_ code: CocoaError.Code, text: String, userInfo: [String: Any] = [:]) {
        var userInfo = userInfo
        userInfo[NSLocalizedDescriptionKey] = text
        self.init(code, userInfo: userInfo)
    }

    /// One broken rule, of one object and property.
    /// - Parameters:
    ///   - text: what failed and what to do, for developers.
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

    /// The single error as it is, or one that contains them all; `nil` for none.
    static func combining(_ errors: [any Error]) -> (any Error)? {
        errors.count > 1 ? several(errors) : errors.first
    }

    /// What one of several errors is itself made of is among them, so that none is hidden in another.
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

/// Gives errors of the engine and the store the codes that programs look for.
enum ErrorMapping {
    static func saving(_ error: any Error, _ context: NSManagedObjectContext?) -> any Error {
        switch error {
        case is CocoaError: error
        case let refusal as PolicyRefusal: refusal.reason
        case let error as ValidationError: validation(error, context)
        case is CancellationError:
            CocoaError(.userCancelled, text: "It was cancelled; what it had written is taken back.")
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
        case let error as SQLiteError: sqlite(error, .sqlite)
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
        case let error as SQLiteError: sqlite(error, .sqlite)
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

    /// - Parameter code: unless others held the file longer than the store's timeout.
    private static func sqlite(_ error: SQLiteError, _ code: CocoaError.Code) -> CocoaError {
        CocoaError(
            error.isBusy ? .persistentStoreTimeout : code, text: error.description,
            userInfo: [NSSQLiteErrorDomain: Int(error.extendedCode), NSUnderlyingErrorKey: error])
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
        case let error as SQLiteError: sqlite(error, error.isNotADatabase ? .fileReadCorruptFile : .persistentStoreOpen)
        case let error as StoreOpeningError: opening(error)
        default:
            CocoaError(.persistentStoreOpen, text: String(describing: error), userInfo: [NSUnderlyingErrorKey: error])
        }
    }

    /// A file that was refused before SQLite opened it has SQLite's code for that.
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

    /// Of SQLite's result codes ("Result and Error Codes").
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
