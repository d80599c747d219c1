import CoreData
import Foundation
import Testing

@MainActor @Suite("Fetching")
struct Fetching {
    // Source: Xcode's Core Data template
    @Test("Fetches all in an order")
    func ordered() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Recipe.rating, ascending: false)]
        #expect(try kitchen.context.fetch(request).map(\.name) == ["Éclair", "pancakes", "Tomato salad", "Beef stew"])
    }

    // Source: widely copied recipe: a request without its type written
    @Test("Infers the type of a request")
    func inferred() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let request = Recipe.fetchRequest()
        request.predicate = NSPredicate(format: "minutes > %d", 15)
        #expect(try kitchen.context.fetch(request).count == 3)
        #expect(try kitchen.context.fetch(Recipe.fetchRequest()).allSatisfy { $0.minutes > 0 })
    }

    // Source: Apple, NSFetchRequest, 'fetchLimit'
    @Test("Fetches the newest two")
    func newest() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Recipe.created, ascending: false)]
        request.fetchLimit = 2
        #expect(try kitchen.context.fetch(request).map(\.name) == ["Beef stew", "Éclair"])
    }

    // Source: Apple, NSFetchRequest, 'fetchOffset'
    @Test("Fetches page by page")
    func pages() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "minutes", ascending: true)]
        request.fetchLimit = 3
        request.fetchOffset = 3
        #expect(try kitchen.context.fetch(request).map(\.name) == ["Beef stew"])
    }

    // Source: widely copied recipe: find or create
    @Test("Finds an object or creates it")
    func findOrCreate() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        func tag(_ label: String) throws -> Tag {
            let request: NSFetchRequest<Tag> = Tag.fetchRequest()
            request.predicate = NSPredicate(format: "%K == %@", "label", label)
            request.fetchLimit = 1
            if let found = try kitchen.context.fetch(request).first { return found }
            let made = Tag(context: kitchen.context)
            made.label = label
            return made
        }
        #expect(try tag("quick").isInserted == false)
        #expect(try tag("festive").isInserted)
        #expect(try tag("festive") === tag("festive"))
    }

    // Source: Apple, NSManagedObjectContext, 'count(for:)'
    @Test("Counts without reading")
    func count() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
        request.predicate = NSPredicate(format: "courseRaw == %d", Course.dessert.rawValue)
        #expect(try kitchen.context.count(for: request) == 2)
    }

    // Source: Apple, NSFetchRequestResultType, 'countResultType'
    @Test("Counts by a request of numbers")
    func countResult() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let request = NSFetchRequest<NSNumber>(entityName: "Recipe")
        request.resultType = .countResultType
        #expect(try kitchen.context.fetch(request).first?.intValue == 4)
    }

    // Source: Apple, NSFetchRequestResultType, 'managedObjectIDResultType'
    @Test("Fetches identifiers only")
    func identifiers() throws {
        let kitchen = try Kitchen()
        let recipes = try kitchen.fill()
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Recipe")
        request.resultType = .managedObjectIDResultType
        #expect(Set(try kitchen.context.fetch(request)) == Set(recipes.map(\.objectID)))
    }

    // Source: Apple, NSFetchRequestResultType, 'dictionaryResultType'
    @Test("Fetches a few columns as dictionaries")
    func dictionaries() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let request = NSFetchRequest<NSDictionary>(entityName: "Recipe")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["name", "cook.name"]
        request.sortDescriptors = [NSSortDescriptor(key: "minutes", ascending: true)]
        let rows = try kitchen.context.fetch(request)
        #expect(rows.first?["name"] as? String == "Tomato salad" && rows.first?["cook.name"] as? String == "Ann")
        #expect(rows.last?["cook.name"] == nil)
    }

    // Source: widely copied recipe: distinct values of an attribute
    @Test("Lists the distinct values of an attribute")
    func distinct() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Recipe")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["courseRaw"]
        request.returnsDistinctResults = true
        request.sortDescriptors = [NSSortDescriptor(key: "courseRaw", ascending: true)]
        let rows = try kitchen.context.fetch(request) as? [[String: Any]]
        #expect(rows?.map { $0["courseRaw"] as? Int } == [0, 1, 2])
    }

    // Source: Apple, NSFetchRequest, 'relationshipKeyPathsForPrefetching'
    @Test("Prefetches related objects")
    func prefetch() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        kitchen.context.reset()
        let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
        request.relationshipKeyPathsForPrefetching = ["cook", "tags"]
        let recipes = try kitchen.context.fetch(request)
        #expect(recipes.compactMap(\.cook?.name).count == 3)
    }

    // Source: Apple, 'Core Data Programming Guide', Performance
    @Test("CD21 Fetches faults in batches")
    func batches() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        kitchen.context.reset()
        let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "minutes", ascending: true)]
        request.fetchBatchSize = 2
        let recipes = try kitchen.context.fetch(request)
        #expect(recipes.map(\.isFault) == [true, true, true, true])
        #expect(recipes[0].name == "Tomato salad")
        #expect(!recipes[0].isFault && recipes[2].isFault)
    }

    // Source: Apple, NSFetchRequest, 'includesPendingChanges'
    @Test("Includes unsaved objects, or leaves them out")
    func pending() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        Recipe(context: kitchen.context).name = "Toast"
        let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
        #expect(try kitchen.context.fetch(request).count == 5)
        request.includesPendingChanges = false
        #expect(try kitchen.context.fetch(request).count == 4)
    }

    // Source: Apple, NSAsynchronousFetchRequest
    @Test("Fetches asynchronously")
    func asynchronous() async throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
        let count = try await withCheckedThrowingContinuation { (done: CheckedContinuation<Int, any Error>) in
            let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
                done.resume(returning: result.finalResult?.count ?? 0)
            }
            do { _ = try kitchen.context.execute(asynchronous) } catch { done.resume(throwing: error) }
        }
        #expect(count == 4)
    }

    // Source: widely copied recipe: requests by the name of the class
    @Test("Fetches any class by a generic function")
    func generic() throws {
        func all<Object: NSManagedObject>(_ type: Object.Type, in context: NSManagedObjectContext) throws -> [Object] {
            try context.fetch(NSFetchRequest<Object>(entityName: String(describing: type)))
        }
        let kitchen = try Kitchen()
        try kitchen.fill()
        #expect(try all(Cook.self, in: kitchen.context).count == 2)
        #expect(try all(Tag.self, in: kitchen.context).count == 2)
    }

    // Source: Apple, NSManagedObjectModel, 'fetchRequestFromTemplate(withName:substitutionVariables:)'
    @Test("Fills the variables of a request kept in the model")
    func template() throws {
        let model = NSManagedObjectModel.kitchen()
        let stored = NSFetchRequest<NSFetchRequestResult>(entityName: "Recipe")
        stored.predicate = NSPredicate(format: "minutes <= $limit")
        model.setFetchRequestTemplate(stored, forName: "Quick")
        let kitchen = try Kitchen(model: model)
        try kitchen.fill()
        let request = try #require(
            model.fetchRequestFromTemplate(withName: "Quick", substitutionVariables: ["limit": 30]))
        #expect(try kitchen.context.fetch(request).count == 2)
    }

    // Source: Apple, 'fetchRequest()' of NSManagedObject
    @Test("CD9 Converts a request to the type of its objects by a call")
    func converted() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let untyped: NSFetchRequest<NSFetchRequestResult> = Cook.fetchRequest()
        let typed = untyped.converted(to: Cook.self)
        #expect(try kitchen.context.fetch(typed).compactMap(\.name).sorted() == ["Ann", "Bob"])
    }

    // Source: Apple, NSSortDescriptor
    @Test("Sorts texts as a reader expects")
    func localized() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(key: "name", ascending: true, selector: Selector("localizedCaseInsensitiveCompare:"))
        ]
        #expect(try kitchen.context.fetch(request).map(\.name) == ["Beef stew", "Éclair", "pancakes", "Tomato salad"])
    }

    // Source: Apple, NSSortDescriptor, 'init(_:)' of a SortDescriptor
    @Test("Converts a sort descriptor of Foundation's newer kind")
    func sortDescriptor() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(SortDescriptor(\Recipe.minutes, order: .reverse))]
        #expect(try kitchen.context.fetch(request).first?.name == "Beef stew")
    }

    // Source: Apple, NSFetchRequest, 'execute()'
    @Test("Executes a request within a block of the main queue's context")
    func executed() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let context = kitchen.context
        let count = try context.performAndWait { try (Recipe.fetchRequest() as NSFetchRequest<Recipe>).execute().count }
        #expect(count == 4)
    }
}
