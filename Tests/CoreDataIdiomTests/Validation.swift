import CoreData
import Foundation
import Testing

/// An object with custom validation.
final class Ticket: NSManagedObject {
    @Managed var title: String?
    @Managed var seats: Int16

    override func validateForInsert() throws {
        try super.validateForInsert()
        try checkTitle()
    }

    override func validateForUpdate() throws {
        try super.validateForUpdate()
        try checkTitle()
    }

    override func validateForDelete() throws {
        try super.validateForDelete()
        if title == "keep" { throw NSError(domain: "Ticket", code: 2) }
    }

    override func validateValue(_ value: inout Any?, forKey key: String) throws {
        try super.validateValue(&value, forKey: key)
        if key == "seats", let seats = value as? Int16, seats == 13 { throw NSError(domain: "Ticket", code: 3) }
    }

    private func checkTitle() throws {
        guard title == "bad" else { return }
        throw NSError(domain: "Ticket", code: 1, userInfo: [NSLocalizedDescriptionKey: "Choose another title."])
    }

    static func model() -> NSManagedObjectModel {
        let title = NSAttributeDescription("title", .stringAttributeType, optional: false)
        title.setValidationPredicates(
            [NSPredicate(format: "length >= 3"), NSPredicate(format: "length <= 8")],
            withValidationWarnings: [NSValidationStringTooShortError, NSValidationStringTooLongError])
        let seats = NSAttributeDescription("seats", .integer16AttributeType, default: 1)
        seats.setValidationPredicates(
            [NSPredicate(format: "SELF >= 1"), NSPredicate(format: "SELF <= 99")],
            withValidationWarnings: [NSValidationNumberTooSmallError, NSValidationNumberTooLargeError])
        return NSManagedObjectModel([NSEntityDescription("Ticket", Ticket.self, [title, seats])])
    }
}

@MainActor @Suite("Validation")
struct Validation {
    private func errorOfSaving(_ edit: (Ticket) -> Void) throws -> NSError? {
        let kitchen = try Kitchen(model: Ticket.model())
        edit(Ticket(context: kitchen.context))
        do {
            try kitchen.context.save()
            return nil
        } catch {
            return error as NSError
        }
    }

    // Source: Apple, 'Core Data Programming Guide', Object Validation
    @Test("Names the mandatory property")
    func missing() throws {
        let error = try #require(try errorOfSaving { $0.seats = 2 })
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSValidationMissingMandatoryPropertyError)
        #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "title")
        #expect(error.userInfo[NSValidationObjectErrorKey] is Ticket)
    }

    // Source: Apple, CocoaError codes of validation
    @Test("Catches a validation error by a Swift pattern")
    func pattern() throws {
        let context = try Kitchen(model: Ticket.model()).context
        _ = Ticket(context: context)
        do {
            try context.save()
            Issue.record("saved")
        } catch CocoaError.validationMissingMandatoryProperty {
        }
    }

    // Source: Apple, 'Core Data Programming Guide', Object Validation
    @Test("Limits the length of a text and the range of a number")
    func rules() throws {
        #expect(try errorOfSaving { $0.title = "ab" }?.code == NSValidationStringTooShortError)
        #expect(try errorOfSaving { $0.title = "far too long" }?.code == NSValidationStringTooLongError)
        #expect(
            try errorOfSaving {
                $0.title = "fine"
                $0.seats = 0
            }?.code == NSValidationNumberTooSmallError)
        #expect(
            try errorOfSaving {
                $0.title = "fine"
                $0.seats = 100
            }?.code == NSValidationNumberTooLargeError)
        #expect(try errorOfSaving { $0.title = "fine" } == nil)
    }

    // Source: Apple, 'Core Data Programming Guide', NSDetailedErrorsKey
    @Test("Lists several errors in one")
    func several() throws {
        let error = try #require(try errorOfSaving { $0.seats = 0 })
        #expect(error.code == NSValidationMultipleErrorsError)
        let codes = (error.userInfo[NSDetailedErrorsKey] as? [NSError])?.map(\.code)
        #expect(Set(codes ?? []) == [NSValidationMissingMandatoryPropertyError, NSValidationNumberTooSmallError])
    }

    // Source: Apple, NSManagedObject, 'validateForInsert()'
    @Test("Throws a custom error from a check of the whole object")
    func ownError() throws {
        let error = try #require(try errorOfSaving { $0.title = "bad" })
        #expect(error.domain == "Ticket" && error.localizedDescription == "Choose another title.")
    }

    // Source: Apple, NSManagedObject, 'validateForUpdate()'
    @Test("Validates an object again when it is updated")
    func update() throws {
        let context = try Kitchen(model: Ticket.model()).context
        let ticket = Ticket(context: context)
        ticket.title = "good"
        try context.save()
        ticket.title = "bad"
        #expect(throws: NSError.self) { try context.save() }
    }

    // Source: Apple, NSManagedObject, 'validateForDelete()'
    @Test("Refuses a deletion, and restores the object by a rollback")
    func delete() throws {
        let context = try Kitchen(model: Ticket.model()).context
        let ticket = Ticket(context: context)
        ticket.title = "keep"
        try context.save()
        context.delete(ticket)
        #expect(throws: NSError.self) { try context.save() }
        context.rollback()
        #expect(!ticket.isDeleted)
    }

    // Source: Apple, 'Core Data Programming Guide', validate<Key> methods
    @Test("CD10 Validates one value in validateValue(_:forKey:)")
    func oneValue() throws {
        let error = try errorOfSaving {
            $0.title = "good"
            $0.seats = 13
        }
        #expect(error?.domain == "Ticket" && error?.code == 3)
    }

    // Source: widely copied recipe: validating before saving
    @Test("Checks whether an object is valid before saving")
    func ask() throws {
        let ticket = Ticket(context: try Kitchen(model: Ticket.model()).context)
        #expect(throws: (any Error).self) { try ticket.validateForInsert() }
        ticket.title = "good"
        try ticket.validateForInsert()
    }

    // Source: Apple, NSRelationshipDescription, 'isOptional'
    @Test("Requires a related object")
    func requiredLink() throws {
        let model = NSManagedObjectModel.kitchen()
        let link = model.entitiesByName["Step"]?.relationshipsByName["recipe"]
        link?.isOptional = false
        link?.minCount = 1
        let context = try Kitchen(model: model).context
        _ = Step(context: context)
        do {
            try context.save()
            Issue.record("saved")
        } catch let error as NSError {
            #expect(error.code == NSValidationMissingMandatoryPropertyError)
        }
    }

    // Source: Apple, error texts of validation
    @Test("Describes a missing value as an alert would show it")
    func text() throws {
        let error = try #require(try errorOfSaving { $0.seats = 2 })
        #expect(error.localizedDescription == "title is a required value.")
    }
}
