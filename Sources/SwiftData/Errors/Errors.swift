import Foundation

/// An error of this library: what was refused, or could not be done.
///
/// Values are compared by kind only, so `catch SwiftDataError.unsupportedPredicate` matches regardless of the details,
/// which `localizedDescription` and `description` have.
public struct SwiftDataError: Error, Hashable {
    enum Kind: String, CaseIterable, Sendable {
        case includePendingChangesWithBatchSize, unsupportedPredicate, unsupportedKeyPath
        case sortingPendingChangesWithIdentifiers, unsupportedSortDescriptor, duplicateConfiguration
        case configurationFileNameTooLong, configurationFileNameContainsInvalidCharacters
        case configurationSchemaNotFoundInContainerSchema, loadIssueModelContainer, modelValidationFailure
        case missingModelContext, backwardMigration, unknownSchema, historyTokenExpired, invalidTransactionFetchRequest
        case unknownDataStoreSchema
    }

    let kind: Kind
    /// The failed entity, property or construct of this occurrence, and what to do; no attribute values.
    let message: String

    init(_ kind: Kind, message: String? = nil) {
        self.kind = kind
        self.message = message ?? kind.explanation
    }

    /// The same kind of error, with the kind's explanation followed by the facts of one occurrence.
    func explained(_ detail: String) -> SwiftDataError {
        stating("\(kind.explanation) \(detail)")
    }

    /// The same kind of error, with another text.
    func stating(_ message: String) -> SwiftDataError {
        SwiftDataError(kind, message: message)
    }

    /// A fetch in batches includes unsaved changes, or the block of
    /// `ModelContext.enumerate(_:batchSize:allowEscapingMutations:block:)` left some.
    public static let includePendingChangesWithBatchSize = SwiftDataError(.includePendingChangesWithBatchSize)
    /// A predicate has a part that neither the store nor memory can evaluate.
    public static let unsupportedPredicate = SwiftDataError(.unsupportedPredicate)
    /// A key path does not name a stored property.
    public static let unsupportedKeyPath = SwiftDataError(.unsupportedKeyPath)
    /// A sorted fetch of identifiers includes unsaved changes while there are some.
    public static let sortingPendingChangesWithIdentifiers = SwiftDataError(.sortingPendingChangesWithIdentifiers)
    /// A sort descriptor cannot be evaluated.
    public static let unsupportedSortDescriptor = SwiftDataError(.unsupportedSortDescriptor)
    /// Two configurations of one container have the same name.
    public static let duplicateConfiguration = SwiftDataError(.duplicateConfiguration)
    /// The file name of a configuration leaves no room for the names of the store's side files.
    public static let configurationFileNameTooLong = SwiftDataError(.configurationFileNameTooLong)
    /// The file name of a configuration has a slash or a control character, or is empty.
    public static let configurationFileNameContainsInvalidCharacters =
        SwiftDataError(.configurationFileNameContainsInvalidCharacters)
    /// A configuration has models that the container's schema lacks.
    public static let configurationSchemaNotFoundInContainerSchema =
        SwiftDataError(.configurationSchemaNotFoundInContainerSchema)
    /// A store could not be opened, created or migrated, or the schema or the configurations are invalid.
    public static let loadIssueModelContainer = SwiftDataError(.loadIssueModelContainer)
    /// The context refused an edit, such as a model of another context, and cannot save until that edit is undone.
    public static let modelValidationFailure = SwiftDataError(.modelValidationFailure)
    /// A model without a context was used where a context is needed. Never thrown by this library.
    public static let missingModelContext = SwiftDataError(.missingModelContext)
    /// The store's version is newer than the container's in the migration plan.
    public static let backwardMigration = SwiftDataError(.backwardMigration)
    /// A model class is not part of the schema.
    public static let unknownSchema = SwiftDataError(.unknownSchema)
    /// The schema of a store is neither that of the container nor one of the migration plan's.
    public static let unknownDataStoreSchema = SwiftDataError(.unknownDataStoreSchema)
    /// The history after a token has been deleted, or the token is of other stores.
    public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)
    /// A history descriptor cannot be fetched: no store keeps a history, or none keeps transactions of that type.
    public static let invalidTransactionFetchRequest = SwiftDataError(.invalidTransactionFetchRequest)

    /// Returns whether two errors are of the same kind.
    public static func == (lhs: SwiftDataError, rhs: SwiftDataError) -> Bool {
        lhs.kind == rhs.kind
    }

    /// Returns whether an error is of a kind, so that a `catch` clause can name one of the constants.
    public static func ~= (match: SwiftDataError, error: any Error) -> Bool {
        (error as? SwiftDataError) == match
    }

    /// Hashes the error by its kind.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
    }
}

extension SwiftDataError: CustomStringConvertible, LocalizedError {
    /// The kind and the message, for logs.
    public var description: String { "SwiftDataError.\(kind.rawValue): \(message)" }

    /// The message: what failed and what to do.
    public var errorDescription: String? { message }
}

extension SwiftDataError.Kind {
    /// The failure and what to do about it.
    var explanation: String {
        switch self {
        case .includePendingChangesWithBatchSize:
            "A fetch in batches cannot include unsaved changes; set includePendingChanges to false or save first."
        case .unsupportedPredicate:
            "The predicate has a part that cannot be evaluated; rewrite that part or filter after the fetch."
        case .unsupportedKeyPath:
            "The key path names no stored property; use a persisted property of a model in the schema."
        case .sortingPendingChangesWithIdentifiers:
            "Identifiers cannot be sorted by properties with unsaved changes; save first or exclude pending changes."
        case .unsupportedSortDescriptor:
            "The sort descriptor cannot be used by the store; sort by a stored value property."
        case .duplicateConfiguration:
            "Two configurations have the same name; give each its own."
        case .configurationFileNameTooLong:
            "The configuration's file name is too long; use at most \(ModelConfiguration.longestFileName) bytes."
        case .configurationFileNameContainsInvalidCharacters:
            "The configuration's file name has a slash or a control character; remove it."
        case .configurationSchemaNotFoundInContainerSchema:
            "A configuration has models that the container's schema lacks; add them to the container."
        case .loadIssueModelContainer:
            "The container could not open its store."
        case .modelValidationFailure:
            "Models break a rule of the schema and were not saved."
        case .missingModelContext:
            "The model belongs to no context; insert it into one first."
        case .backwardMigration:
            "The store was written by a newer version than any in the migration plan; update the program."
        case .unknownSchema:
            "A model class is not part of the schema; add it to the container's schema."
        case .unknownDataStoreSchema:
            "The store's schema is neither the container's nor one of the migration plan's; add its version to the plan."
        case .historyTokenExpired:
            "The history after this token has been deleted; read the history from the beginning."
        case .invalidTransactionFetchRequest:
            "The history descriptor cannot be fetched; filter and sort by properties of the transaction only."
        }
    }
}

/// Codes of `CocoaError` that programs written for Apple's frameworks check for.
enum CocoaErrorNumber: Int, Sendable {
    case invalidValue = 1550
    case severalValidationErrors = 1560
    case missingMandatoryProperty = 1570
    case tooFewDestinations = 1580
    case tooManyDestinations = 1590
    case deniedDelete = 1600
    case conflict = 133020
    case notUnique = 133021
    case saving = 134030
    case storeError = 134180
}

extension CocoaError {
    /// Keys of `userInfo`, with the values that programs use.
    enum ValidationKey {
        static let detailedErrors = "NSDetailedErrors"
        static let object = "NSValidationErrorObject"
        static let property = "NSValidationErrorKey"
        static let affectedObjects = "NSAffectedObjectsErrorKey"
    }

    /// Creates an error with one of the well-known codes.
    /// - Parameter text: The failure and what to do; becomes the localized description.
    init(_ number: CocoaErrorNumber, text: String, userInfo: [String: Any] = [:]) {
        var userInfo = userInfo
        userInfo[NSLocalizedDescriptionKey] = text
        self.init(CocoaError.Code(rawValue: number.rawValue), userInfo: userInfo)
    }

    /// One broken rule, with the object concerned (an identifier, never the model itself, as errors cross threads) and the
    /// property.
    static func validation(
        _ number: CocoaErrorNumber, object: (any Sendable)?, property: String?, text: String,
        more: [String: any Sendable] = [:]
    ) -> CocoaError {
        var userInfo: [String: Any] = more
        userInfo[ValidationKey.object] = object
        userInfo[ValidationKey.property] = property
        return CocoaError(number, text: text, userInfo: userInfo)
    }

    /// The single error itself, or one that has all of them in `NSDetailedErrors`; `nil` for none.
    static func combining(_ errors: [CocoaError]) -> CocoaError? {
        guard let first = errors.first else { return nil }
        guard errors.count > 1 else { return first }
        return CocoaError(
            .severalValidationErrors, text: "\(errors.count) rules of the schema are broken; see NSDetailedErrors.",
            userInfo: [ValidationKey.detailedErrors: errors])
    }
}
