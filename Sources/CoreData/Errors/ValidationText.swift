import Foundation

/// The text of a validation error for an alert: short, with the names of properties and the translations of the model's
/// `localizationDictionary`. The text for developers is under `NSDebugDescriptionErrorKey`.
struct ValidationText {
    private let texts: [String: String]
    private let entityName: String

    /// - Parameter object: `nil` if the object is not known; names are then shown untranslated.
    init(of object: NSManagedObject?) {
        texts = object?.entity.managedObjectModel.localizationDictionary ?? [:]
        entityName = object?.entity.name ?? ""
    }

    func text(_ code: CocoaError.Code, _ key: String?) -> String {
        guard let key else { return localized("A value is not valid.") }
        return switch code {
        case .validationMissingMandatoryProperty: localized("% is a required value.", key)
        case .validationRelationshipLacksMinimumCount: localized("% has too few items.", key)
        case .validationRelationshipExceedsMaximumCount: localized("% has too many items.", key)
        case .validationRelationshipDeniedDelete: localized("The item cannot be deleted while % has items.", key)
        case .validationNumberTooLarge: localized("% is too large.", key)
        case .validationNumberTooSmall: localized("% is too small.", key)
        case .validationDateTooLate: localized("% is too late.", key)
        case .validationDateTooSoon: localized("% is too early.", key)
        case .validationStringTooLong: localized("% is too long.", key)
        case .validationStringTooShort: localized("% is too short.", key)
        default: localized("% is not valid.", key)
        }
    }

    /// The translation of a text that the model states for the rule.
    func text(_ text: String) -> String { localized(text) }

    private func localized(_ text: String) -> String { texts["ErrorString/\(text)"] ?? text }

    /// - Parameter text: has `%` in place of the property's name; translations are looked up with the `%`.
    private func localized(_ text: String, _ key: String) -> String {
        let name = texts["Property/\(key)/Entity/\(entityName)"] ?? texts["Property/\(key)"] ?? key
        return localized(text).replacing("%", with: name, maxReplacements: 1)
    }
}
