import CoreData
import Foundation

/// The classes of the sample model: a kitchen with recipes. `@Managed` is what `@NSManaged` is on Apple's systems.
final class Recipe: NSManagedObject, Identifiable {
    @Managed var name: String
    @Managed var minutes: Int32
    @Managed var rating: Double
    @Managed var price: NSDecimalNumber?
    @Managed var created: Date?
    @Managed var uuid: UUID?
    @Managed var link: URL?
    @Managed var vegetarian: Bool
    @Managed var photo: Data?
    @Managed var courseRaw: Int16
    @Managed var notes: String?
    @Managed var cook: Cook?
    @Managed var tags: Set<Tag>
    @Managed var ingredients: NSSet?
    @Managed var steps: NSOrderedSet?

    @nonobjc class func fetchRequest() -> NSFetchRequest<Recipe> { NSFetchRequest<Recipe>(entityName: "Recipe") }
}

/// A custom value over a stored number.
enum Course: Int16, CaseIterable {
    case starter, main, dessert
}

extension Recipe {
    var course: Course {
        get { Course(rawValue: courseRaw) ?? .main }
        set { courseRaw = newValue.rawValue }
    }
}

final class Cook: NSManagedObject, Identifiable {
    @Managed var name: String?
    @Managed var born: Date?
    @Managed var recipes: NSSet?

    @nonobjc class func fetchRequest() -> NSFetchRequest<Cook> { NSFetchRequest<Cook>(entityName: "Cook") }
}

/// Labels are unique: the model has a constraint on them.
final class Tag: NSManagedObject {
    @Managed var label: String?
    @Managed var recipes: NSSet?

    @nonobjc class func fetchRequest() -> NSFetchRequest<Tag> { NSFetchRequest<Tag>(entityName: "Tag") }
}

final class Ingredient: NSManagedObject {
    @Managed var name: String?
    @Managed var amount: Double
    @Managed var cost: NSDecimalNumber?
    @Managed var recipe: Recipe?

    @nonobjc class func fetchRequest() -> NSFetchRequest<Ingredient> {
        NSFetchRequest<Ingredient>(entityName: "Ingredient")
    }
}

/// In the order of execution.
final class Step: NSManagedObject {
    @Managed var text: String?
    @Managed var recipe: Recipe?

    @nonobjc class func fetchRequest() -> NSFetchRequest<Step> { NSFetchRequest<Step>(entityName: "Step") }
}
