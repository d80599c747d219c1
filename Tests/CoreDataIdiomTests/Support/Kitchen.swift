import CoreData
import Foundation
import TestSupport

/// A container over a store of its own, in memory or in a folder that is removed with it. Contexts may outlive it, with the
/// store that they retain.
final class Kitchen {
    enum Place { case memory, file }

    let container: NSPersistentContainer
    private let temporary: TemporaryFolder
    var folder: URL { temporary.url }
    var context: NSManagedObjectContext { container.viewContext }
    var coordinator: NSPersistentStoreCoordinator { container.persistentStoreCoordinator }
    var storeURL: URL { folder.appendingPathComponent("Kitchen.sqlite") }

    init(
        _ place: Place = .memory, model: NSManagedObjectModel = .kitchen(),
        configure: (NSPersistentStoreDescription) -> Void = { _ in }
    ) throws {
        temporary = try TemporaryFolder()
        container = NSPersistentContainer(name: "Kitchen", managedObjectModel: model)
        let url =
            place == .memory ? URL(fileURLWithPath: "/dev/null") : temporary.appendingPathComponent("Kitchen.sqlite")
        let description = NSPersistentStoreDescription(url: url)
        configure(description)
        container.persistentStoreDescriptions = [description]
        try container.load()
    }

    /// Another container on the same file, like another process or the next launch.
    /// - Parameter url: a copy of the file, instead of this one.
    func reopened(model: NSManagedObjectModel = .kitchen(), at url: URL? = nil) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Kitchen", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url ?? storeURL)]
        try container.load()
        return container
    }

    /// Four recipes of two cooks, saved; in the order of their minutes.
    @discardableResult
    func fill() throws -> [Recipe] {
        let ann = Cook(context: context)
        ann.name = "Ann"
        let bob = Cook(context: context)
        bob.name = "Bob"
        let quick = Tag(context: context)
        quick.label = "quick"
        let cheap = Tag(context: context)
        cheap.label = "cheap"
        let recipes = [
            add("Tomato salad", minutes: 10, rating: 3.5, price: "4.25", .starter, by: ann, [quick, cheap]),
            add("pancakes", minutes: 20, rating: 4.5, price: "3.10", .dessert, by: ann, [quick]),
            add("Éclair", minutes: 60, rating: 5, price: "12.75", .dessert, by: bob, []),
            add("Beef stew", minutes: 180, rating: 2.5, price: "29", .main, by: nil, [cheap]),
        ]
        recipes[3].vegetarian = false
        for (name, cost) in [("tomato", "1.20"), ("oil", "0.30")] {
            let ingredient = Ingredient(context: context)
            ingredient.name = name
            ingredient.cost = NSDecimalNumber(string: cost)
            ingredient.recipe = recipes[0]
        }
        recipes[1].steps = NSOrderedSet(
            array: ["Mix", "Rest", "Fry"].map { text in
                let step = Step(context: context)
                step.text = text
                return step
            })
        try context.save()
        return recipes
    }

    private func add(
        _ name: String, minutes: Int32, rating: Double, price: String, _ course: Course, by cook: Cook?,
        _ tags: Set<Tag>
    ) -> Recipe {
        let recipe = Recipe(context: context)
        recipe.name = name
        recipe.minutes = minutes
        recipe.rating = rating
        recipe.price = NSDecimalNumber(string: price)
        recipe.course = course
        recipe.cook = cook
        recipe.tags = tags
        recipe.uuid = UUID()
        recipe.link = URL(string: "https://example.org/\(minutes)")
        recipe.created = .day(Int(minutes))
        return recipe
    }

    /// Names of the recipes that match a predicate, in the order of their minutes.
    func names(_ predicate: NSPredicate? = nil, in context: NSManagedObjectContext? = nil) throws -> [String] {
        let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: "minutes", ascending: true)]
        return try (context ?? self.context).fetch(request).map(\.name)
    }
}

extension NSPersistentContainer {
    /// Loads stores that are not added asynchronously.
    func load() throws {
        var failure: (any Error)?
        loadPersistentStores { _, error in failure = failure ?? error }
        if let failure { throw failure }
    }
}

extension Date {
    /// A number of days after the beginning of 2001, UTC.
    static func day(_ count: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(count) * 86_400) }
}
