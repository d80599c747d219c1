import Foundation

/// What the library refuses, or could not do.
///
/// A value is compared by kind only, so `catch SwiftDataError.unsupportedPredicate` matches whatever the details are;
/// `localizedDescription` and `description` carry them.
public struct SwiftDataError: Error, Hashable {
    enum Kind: String, CaseIterable, Sendable {
        case includePendingChangesWithBatchSize, unsupportedPredicate, unsupportedKeyPath
        case sortingPendingChangesWithIdentifiers, unsupportedSortDescriptor, duplicateConfiguration
        case configurationFileNameTooLong, configurationFileNameContainsInvalidCharacters
        case configurationSchemaNotFoundInContainerSchema, loadIssueModelContainer, modelValidationFailure
        case missingModelContext, backwardMigration, unknownSchema, historyTokenExpired, invalidTransactionFetchRequest
    }

    let kind: Kind
    /// What failed in this occurrence (entity, property, construct), and what to do; no attribute values.
    let message: String

    init(_ kind: Kind, message: String? = nil) {
        self.kind = kind
        self.message = message ?? kind.explanation
    }

    /// The same error with the facts of one occurrence after what is true of all of its kind.
    func explained(_ detail: String) -> SwiftDataError {
        stating("\(kind.explanation) \(detail)")
    }

    /// The same error with a text of its own.
    func stating(_ message: String) -> SwiftDataError {
        SwiftDataError(kind, message: message)
    }

    /// A fetch in batches was asked to take part in unsaved changes.
    public static let includePendingChangesWithBatchSize = SwiftDataError(.includePendingChangesWithBatchSize)
    /// A predicate has a part that neither the store nor memory can evaluate.
    public static let unsupportedPredicate = SwiftDataError(.unsupportedPredicate)
    /// A key path leads to no stored property.
    public static let unsupportedKeyPath = SwiftDataError(.unsupportedKeyPath)
    /// Identifiers were to be fetched in order while sorted properties have unsaved changes.
    public static let sortingPendingChangesWithIdentifiers = SwiftDataError(.sortingPendingChangesWithIdentifiers)
    /// A sort key cannot be used by the store.
    public static let unsupportedSortDescriptor = SwiftDataError(.unsupportedSortDescriptor)
    /// Two configurations of one container have the same name.
    public static let duplicateConfiguration = SwiftDataError(.duplicateConfiguration)
    /// A configuration's file name leaves no room for the store's side files.
    public static let configurationFileNameTooLong = SwiftDataError(.configurationFileNameTooLong)
    /// A configuration's file name has characters that cannot be in one.
    public static let configurationFileNameContainsInvalidCharacters =
        SwiftDataError(.configurationFileNameContainsInvalidCharacters)
    /// A configuration has models that the container's schema lacks.
    public static let configurationSchemaNotFoundInContainerSchema =
        SwiftDataError(.configurationSchemaNotFoundInContainerSchema)
    /// A store could not be opened, made or migrated.
    public static let loadIssueModelContainer = SwiftDataError(.loadIssueModelContainer)
    /// Models break a rule of the schema, or were used in a way that their context refuses, so they cannot be saved.
    public static let modelValidationFailure = SwiftDataError(.modelValidationFailure)
    /// A model that belongs to no context was used where one is needed.
    public static let missingModelContext = SwiftDataError(.missingModelContext)
    /// The store is newer than every version of the migration plan.
    public static let backwardMigration = SwiftDataError(.backwardMigration)
    /// The store's version is none of the migration plan's, or a model class is not part of the schema.
    public static let unknownSchema = SwiftDataError(.unknownSchema)
    /// The history a token points into has been deleted.
    public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)
    /// A history descriptor cannot be fetched.
    public static let invalidTransactionFetchRequest = SwiftDataError(.invalidTransactionFetchRequest)

    public static func == (lhs: SwiftDataError, rhs: SwiftDataError) -> Bool {
        lhs.kind == rhs.kind
    }

    /// Lets a `catch` clause name one of the constants.
    public static func ~= (match: SwiftDataError, error: any Error) -> Bool {
        (error as? SwiftDataError) == match
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
    }
}

extension SwiftDataError: CustomStringConvertible, LocalizedError {
    /// For logs: the kind, then the sentences of `localizedDescription`.
    public var description: String { "SwiftDataError.\(kind.rawValue): \(message)" }

    public var errorDescription: String? { message }
}

extension SwiftDataError.Kind {
    /// What failed and what to do about it.
    var explanation: String {
        switch self {
        case .includePendingChangesWithBatchSize:
            "A fetch in batches cannot include unsaved changes; set includePendingChanges to false or save first."
        case .unsupportedPredicate:
            "The predicate has a part that cannot be evaluated; rewrite that part or filter after the fetch."
        case .unsupportedKeyPath:
            "The key path does not lead to a stored property; use a persisted property of a model in the schema."
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
            "The store's version is none of the migration plan's; add that version to the plan."
        case .historyTokenExpired:
            "The history after this token has been deleted; read the history from the beginning."
        case .invalidTransactionFetchRequest:
            "The history descriptor cannot be fetched; filter and sort by properties of the transaction only."
        }
    }
}

/// Numbers that programs written for Apple's frameworks look for in a `CocoaError`.
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
    /// Keys of `userInfo`, spelled as programs read them.
    enum ValidationKey {
        static let detailedErrors = "NSDetailedErrors"
        static let object = "NSValidationErrorObject"
        static let property = "NSValidationErrorKey"
        static let affectedObjects = "NSAffectedObjectsErrorKey"
    }

    /// An error with one of the well-known numbers.
    /// - Parameter text: What failed and what to do; becomes the localized description.
    init(_ number: CocoaErrorNumber, text: String, userInfo: [String: Any] = [:]) {
        var userInfo = userInfo
        userInfo[NSLocalizedDescriptionKey] = text
        self.init(CocoaError.Code(rawValue: number.rawValue), userInfo: userInfo)
    }

    /// One broken rule: of which object (an identifier, never the model itself, as errors cross threads) and property.
    static func validation(
        _ number: CocoaErrorNumber, object: (any Sendable)?, property: String?, text: String,
        more: [String: any Sendable] = [:]
    ) -> CocoaError {
        var userInfo: [String: Any] = more
        userInfo[ValidationKey.object] = object
        userInfo[ValidationKey.property] = property
        return CocoaError(number, text: text, userInfo: userInfo)
    }

    /// The single error itself, or one that holds them all in `NSDetailedErrors`; `nil` for none.
    static func combining(_ errors: [CocoaError]) -> CocoaError? {
        guard let first = errors.first else { return nil }
        guard errors.count > 1 else { return first }
        return CocoaError(
            .severalValidationErrors, text: "\(errors.count) rules of the schema are broken; see NSDetailedErrors.",
            userInfo: [ValidationKey.detailedErrors: errors])
    }
}
