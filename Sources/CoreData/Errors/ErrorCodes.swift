import Foundation

// The codes of Core Data's errors, under both of Apple's names. All are in `NSCocoaErrorDomain`.

extension CocoaError.Code {
    /// 1550: A value is not valid for its property, or a property or key is not one that can be written.
    public static let managedObjectValidation = CocoaError.Code(rawValue: 1550)
    /// 1551: A batch request would break a uniqueness constraint.
    public static let managedObjectConstraintValidation = CocoaError.Code(rawValue: 1551)
    /// 1560: Several rules of the model are broken; the single errors are under `NSDetailedErrorsKey`.
    public static let validationMultipleErrors = CocoaError.Code(rawValue: 1560)
    /// 1570: A mandatory property has no value.
    public static let validationMissingMandatoryProperty = CocoaError.Code(rawValue: 1570)
    /// 1580: A to-many relationship has fewer objects than its minimum count.
    public static let validationRelationshipLacksMinimumCount = CocoaError.Code(rawValue: 1580)
    /// 1590: A to-many relationship has more objects than its maximum count.
    public static let validationRelationshipExceedsMaximumCount = CocoaError.Code(rawValue: 1590)
    /// 1600: A deny rule forbids a deletion.
    public static let validationRelationshipDeniedDelete = CocoaError.Code(rawValue: 1600)
    /// 1610: A number is above the maximum that the model sets for its attribute.
    public static let validationNumberTooLarge = CocoaError.Code(rawValue: 1610)
    /// 1620: A number is below the minimum that the model sets for its attribute.
    public static let validationNumberTooSmall = CocoaError.Code(rawValue: 1620)
    /// 1630: A date is after the latest that the model sets for its attribute.
    public static let validationDateTooLate = CocoaError.Code(rawValue: 1630)
    /// 1640: A date is before the earliest that the model sets for its attribute.
    public static let validationDateTooSoon = CocoaError.Code(rawValue: 1640)
    /// 1650: A date is not valid; this library throws it only where a model's validation rule states the code.
    public static let validationInvalidDate = CocoaError.Code(rawValue: 1650)
    /// 1660: A text is longer than the model allows for its attribute.
    public static let validationStringTooLong = CocoaError.Code(rawValue: 1660)
    /// 1670: A text is shorter than the model allows for its attribute.
    public static let validationStringTooShort = CocoaError.Code(rawValue: 1670)
    /// 1680: A text does not match the regular expression that the model sets for its attribute.
    public static let validationStringPatternMatching = CocoaError.Code(rawValue: 1680)
    /// 1690: A URI is not valid; this library throws it only where a model's validation rule states the code.
    public static let validationInvalidURI = CocoaError.Code(rawValue: 1690)
    /// 132000: A request is executed outside of a context's block, or the parent of a context no longer exists.
    public static let managedObjectContextLocking = CocoaError.Code(rawValue: 132000)
    /// 132010: A coordinator could not be locked; never thrown by this library.
    public static let persistentStoreCoordinatorLocking = CocoaError.Code(rawValue: 132010)
    /// 133000: No row exists for an identifier.
    public static let managedObjectReferentialIntegrity = CocoaError.Code(rawValue: 133000)
    /// 133010: A saved relationship refers to an object that is not in a store.
    public static let managedObjectExternalRelationship = CocoaError.Code(rawValue: 133010)
    /// 133020: Rows that a save writes were changed by others, and the merge policy does not resolve the conflicts.
    public static let managedObjectMerge = CocoaError.Code(rawValue: 133020)
    /// 133021: Objects have the same values where these must be unique, and the merge policy does not resolve it.
    public static let managedObjectConstraintMerge = CocoaError.Code(rawValue: 133021)
    /// 134000: The type or class of a store is not supported.
    public static let persistentStoreInvalidType = CocoaError.Code(rawValue: 134000)
    /// 134010: A store is of another type than the one it is added with.
    public static let persistentStoreTypeMismatch = CocoaError.Code(rawValue: 134010)
    /// 134020: A model or configuration cannot be stored.
    public static let persistentStoreIncompatibleSchema = CocoaError.Code(rawValue: 134020)
    /// 134030: A store cannot be written, or a context has refused a change.
    public static let persistentStoreSave = CocoaError.Code(rawValue: 134030)
    /// 134040: A request over several stores failed after some of the stores were written.
    public static let persistentStoreIncompleteSave = CocoaError.Code(rawValue: 134040)
    /// 134050: A batch delete would leave a mandatory relationship empty.
    public static let persistentStoreSaveConflicts = CocoaError.Code(rawValue: 134050)
    /// 134060: A request, predicate or expression cannot be used with the model.
    public static let coreData = CocoaError.Code(rawValue: 134060)
    /// 134070: An operation on a store or coordinator failed or is not possible.
    public static let persistentStoreOperation = CocoaError.Code(rawValue: 134070)
    /// 134080: A store cannot be opened.
    public static let persistentStoreOpen = CocoaError.Code(rawValue: 134080)
    /// 134090: Other connections held a lock on a store longer than its timeout.
    public static let persistentStoreTimeout = CocoaError.Code(rawValue: 134090)
    /// 134091: A store does not support a request.
    public static let persistentStoreUnsupportedRequestType = CocoaError.Code(rawValue: 134091)
    /// 134100: A store was written with another version of the model.
    public static let persistentStoreIncompatibleVersionHash = CocoaError.Code(rawValue: 134100)
    /// 134110: A migration failed.
    public static let migration = CocoaError.Code(rawValue: 134110)
    /// 134111: A migration would break a uniqueness constraint.
    public static let migrationConstraintViolation = CocoaError.Code(rawValue: 134111)
    /// 134120: A migration was cancelled through its progress.
    public static let migrationCancelled = CocoaError.Code(rawValue: 134120)
    /// 134130: The model that a store was written with is not found.
    public static let migrationMissingSourceModel = CocoaError.Code(rawValue: 134130)
    /// 134140: No mapping model leads from a store's model to the wanted one.
    public static let migrationMissingMappingModel = CocoaError.Code(rawValue: 134140)
    /// 134150: The source store of a migration cannot be opened.
    public static let migrationManagerSourceStore = CocoaError.Code(rawValue: 134150)
    /// 134160: The destination store of a migration cannot be opened.
    public static let migrationManagerDestinationStore = CocoaError.Code(rawValue: 134160)
    /// 134170: The policy class of an entity mapping is not found.
    public static let entityMigrationPolicy = CocoaError.Code(rawValue: 134170)
    /// 134180: SQLite reported an error; its code is under `NSSQLiteErrorDomain`.
    public static let sqlite = CocoaError.Code(rawValue: 134180)
    /// 134190: A mapping model cannot be inferred from two models.
    public static let inferredMappingModel = CocoaError.Code(rawValue: 134190)
    /// 134200: External records could not be imported; never thrown by this library.
    public static let externalRecordImport = CocoaError.Code(rawValue: 134200)
    /// 134301: The history after a token was deleted, or the token belongs to other stores.
    public static let persistentHistoryTokenExpired = CocoaError.Code(rawValue: 134301)
    /// 134504: The model of a reference, or a stage for a store's model, is not found.
    public static let managedObjectModelReferenceNotFound = CocoaError.Code(rawValue: 134504)
    /// 134505: A staged migration needs another version of the framework; never thrown by this library.
    public static let stagedMigrationFrameworkVersionMismatch = CocoaError.Code(rawValue: 134505)
    /// 134506: A staged migration would go back to an earlier version of the model.
    public static let stagedMigrationBackwardMigration = CocoaError.Code(rawValue: 134506)
}

extension CocoaError {
    /// 1550: A value is not valid for its property, or a property or key is not one that can be written.
    public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
    /// 1551: A batch request would break a uniqueness constraint.
    public static var managedObjectConstraintValidation: CocoaError.Code { .managedObjectConstraintValidation }
    /// 1560: Several rules of the model are broken; the single errors are under `NSDetailedErrorsKey`.
    public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
    /// 1570: A mandatory property has no value.
    public static var validationMissingMandatoryProperty: CocoaError.Code { .validationMissingMandatoryProperty }
    /// 1580: A to-many relationship has fewer objects than its minimum count.
    public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
        .validationRelationshipLacksMinimumCount
    }
    /// 1590: A to-many relationship has more objects than its maximum count.
    public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
        .validationRelationshipExceedsMaximumCount
    }
    /// 1600: A deny rule forbids a deletion.
    public static var validationRelationshipDeniedDelete: CocoaError.Code { .validationRelationshipDeniedDelete }
    /// 1610: A number is above the maximum that the model sets for its attribute.
    public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
    /// 1620: A number is below the minimum that the model sets for its attribute.
    public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
    /// 1630: A date is after the latest that the model sets for its attribute.
    public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
    /// 1640: A date is before the earliest that the model sets for its attribute.
    public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
    /// 1650: A date is not valid; this library throws it only where a model's validation rule states the code.
    public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
    /// 1660: A text is longer than the model allows for its attribute.
    public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
    /// 1670: A text is shorter than the model allows for its attribute.
    public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
    /// 1680: A text does not match the regular expression that the model sets for its attribute.
    public static var validationStringPatternMatching: CocoaError.Code { .validationStringPatternMatching }
    /// 1690: A URI is not valid; this library throws it only where a model's validation rule states the code.
    public static var validationInvalidURI: CocoaError.Code { .validationInvalidURI }
    /// 132000: A request is executed outside of a context's block, or the parent of a context no longer exists.
    public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
    /// 132010: A coordinator could not be locked; never thrown by this library.
    public static var persistentStoreCoordinatorLocking: CocoaError.Code { .persistentStoreCoordinatorLocking }
    /// 133000: No row exists for an identifier.
    public static var managedObjectReferentialIntegrity: CocoaError.Code { .managedObjectReferentialIntegrity }
    /// 133010: A saved relationship refers to an object that is not in a store.
    public static var managedObjectExternalRelationship: CocoaError.Code { .managedObjectExternalRelationship }
    /// 133020: Rows that a save writes were changed by others, and the merge policy does not resolve the conflicts.
    public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
    /// 133021: Objects have the same values where these must be unique, and the merge policy does not resolve it.
    public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
    /// 134000: The type or class of a store is not supported.
    public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
    /// 134010: A store is of another type than the one it is added with.
    public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
    /// 134020: A model or configuration cannot be stored.
    public static var persistentStoreIncompatibleSchema: CocoaError.Code { .persistentStoreIncompatibleSchema }
    /// 134030: A store cannot be written, or a context has refused a change.
    public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
    /// 134040: A request over several stores failed after some of the stores were written.
    public static var persistentStoreIncompleteSave: CocoaError.Code { .persistentStoreIncompleteSave }
    /// 134050: A batch delete would leave a mandatory relationship empty.
    public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
    /// 134060: A request, predicate or expression cannot be used with the model.
    public static var coreData: CocoaError.Code { .coreData }
    /// 134070: An operation on a store or coordinator failed or is not possible.
    public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
    /// 134080: A store cannot be opened.
    public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
    /// 134090: Other connections held a lock on a store longer than its timeout.
    public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
    /// 134091: A store does not support a request.
    public static var persistentStoreUnsupportedRequestType: CocoaError.Code { .persistentStoreUnsupportedRequestType }
    /// 134100: A store was written with another version of the model.
    public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
        .persistentStoreIncompatibleVersionHash
    }
    /// 134110: A migration failed.
    public static var migration: CocoaError.Code { .migration }
    /// 134111: A migration would break a uniqueness constraint.
    public static var migrationConstraintViolation: CocoaError.Code { .migrationConstraintViolation }
    /// 134120: A migration was cancelled through its progress.
    public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
    /// 134130: The model that a store was written with is not found.
    public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
    /// 134140: No mapping model leads from a store's model to the wanted one.
    public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
    /// 134150: The source store of a migration cannot be opened.
    public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
    /// 134160: The destination store of a migration cannot be opened.
    public static var migrationManagerDestinationStore: CocoaError.Code { .migrationManagerDestinationStore }
    /// 134170: The policy class of an entity mapping is not found.
    public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
    /// 134180: SQLite reported an error; its code is under `NSSQLiteErrorDomain`.
    public static var sqlite: CocoaError.Code { .sqlite }
    /// 134190: A mapping model cannot be inferred from two models.
    public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
    /// 134200: External records could not be imported; never thrown by this library.
    public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
    /// 134301: The history after a token was deleted, or the token belongs to other stores.
    public static var persistentHistoryTokenExpired: CocoaError.Code { .persistentHistoryTokenExpired }
    /// 134504: The model of a reference, or a stage for a store's model, is not found.
    public static var managedObjectModelReferenceNotFound: CocoaError.Code { .managedObjectModelReferenceNotFound }
    /// 134505: A staged migration needs another version of the framework; never thrown by this library.
    public static var stagedMigrationFrameworkVersionMismatch: CocoaError.Code {
        .stagedMigrationFrameworkVersionMismatch
    }
    /// 134506: A staged migration would go back to an earlier version of the model.
    public static var stagedMigrationBackwardMigration: CocoaError.Code { .stagedMigrationBackwardMigration }
}

/// 1550: A value is not valid for its property, or a property or key is not one that can be written.
public let NSManagedObjectValidationError = 1550
/// 1551: A batch request would break a uniqueness constraint.
public let NSManagedObjectConstraintValidationError = 1551
/// 1560: Several rules of the model are broken; the single errors are under `NSDetailedErrorsKey`.
public let NSValidationMultipleErrorsError = 1560
/// 1570: A mandatory property has no value.
public let NSValidationMissingMandatoryPropertyError = 1570
/// 1580: A to-many relationship has fewer objects than its minimum count.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// 1590: A to-many relationship has more objects than its maximum count.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// 1600: A deny rule forbids a deletion.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// 1610: A number is above the maximum that the model sets for its attribute.
public let NSValidationNumberTooLargeError = 1610
/// 1620: A number is below the minimum that the model sets for its attribute.
public let NSValidationNumberTooSmallError = 1620
/// 1630: A date is after the latest that the model sets for its attribute.
public let NSValidationDateTooLateError = 1630
/// 1640: A date is before the earliest that the model sets for its attribute.
public let NSValidationDateTooSoonError = 1640
/// 1650: A date is not valid; this library throws it only where a model's validation rule states the code.
public let NSValidationInvalidDateError = 1650
/// 1660: A text is longer than the model allows for its attribute.
public let NSValidationStringTooLongError = 1660
/// 1670: A text is shorter than the model allows for its attribute.
public let NSValidationStringTooShortError = 1670
/// 1680: A text does not match the regular expression that the model sets for its attribute.
public let NSValidationStringPatternMatchingError = 1680
/// 1690: A URI is not valid; this library throws it only where a model's validation rule states the code.
public let NSValidationInvalidURIError = 1690
/// 132000: A request is executed outside of a context's block, or the parent of a context no longer exists.
public let NSManagedObjectContextLockingError = 132000
/// 132010: A coordinator could not be locked; never thrown by this library.
public let NSPersistentStoreCoordinatorLockingError = 132010
/// 133000: No row exists for an identifier.
public let NSManagedObjectReferentialIntegrityError = 133000
/// 133010: A saved relationship refers to an object that is not in a store.
public let NSManagedObjectExternalRelationshipError = 133010
/// 133020: Rows that a save writes were changed by others, and the merge policy does not resolve the conflicts.
public let NSManagedObjectMergeError = 133020
/// 133021: Objects have the same values where these must be unique, and the merge policy does not resolve it.
public let NSManagedObjectConstraintMergeError = 133021
/// 134000: The type or class of a store is not supported.
public let NSPersistentStoreInvalidTypeError = 134000
/// 134010: A store is of another type than the one it is added with.
public let NSPersistentStoreTypeMismatchError = 134010
/// 134020: A model or configuration cannot be stored.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// 134030: A store cannot be written, or a context has refused a change.
public let NSPersistentStoreSaveError = 134030
/// 134040: A request over several stores failed after some of the stores were written.
public let NSPersistentStoreIncompleteSaveError = 134040
/// 134050: A batch delete would leave a mandatory relationship empty.
public let NSPersistentStoreSaveConflictsError = 134050
/// 134060: A request, predicate or expression cannot be used with the model.
public let NSCoreDataError = 134060
/// 134070: An operation on a store or coordinator failed or is not possible.
public let NSPersistentStoreOperationError = 134070
/// 134080: A store cannot be opened.
public let NSPersistentStoreOpenError = 134080
/// 134090: Other connections held a lock on a store longer than its timeout.
public let NSPersistentStoreTimeoutError = 134090
/// 134091: A store does not support a request.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// 134100: A store was written with another version of the model.
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// 134110: A migration failed.
public let NSMigrationError = 134110
/// 134111: A migration would break a uniqueness constraint.
public let NSMigrationConstraintViolationError = 134111
/// 134120: A migration was cancelled through its progress.
public let NSMigrationCancelledError = 134120
/// 134130: The model that a store was written with is not found.
public let NSMigrationMissingSourceModelError = 134130
/// 134140: No mapping model leads from a store's model to the wanted one.
public let NSMigrationMissingMappingModelError = 134140
/// 134150: The source store of a migration cannot be opened.
public let NSMigrationManagerSourceStoreError = 134150
/// 134160: The destination store of a migration cannot be opened.
public let NSMigrationManagerDestinationStoreError = 134160
/// 134170: The policy class of an entity mapping is not found.
public let NSEntityMigrationPolicyError = 134170
/// 134180: SQLite reported an error; its code is under `NSSQLiteErrorDomain`.
public let NSSQLiteError = 134180
/// 134190: A mapping model cannot be inferred from two models.
public let NSInferredMappingModelError = 134190
/// 134200: External records could not be imported; never thrown by this library.
public let NSExternalRecordImportError = 134200
/// 134301: The history after a token was deleted, or the token belongs to other stores.
public let NSPersistentHistoryTokenExpiredError = 134301
/// 134504: The model of a reference, or a stage for a store's model, is not found.
public let NSManagedObjectModelReferenceNotFoundError = 134504
/// 134505: A staged migration needs another version of the framework; never thrown by this library.
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// 134506: A staged migration would go back to an earlier version of the model.
public let NSStagedMigrationBackwardMigrationError = 134506
