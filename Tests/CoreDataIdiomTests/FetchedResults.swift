import CoreData
import Foundation
import Testing

/// Records the changes that a table view would show.
private final class Table: NSObject, NSFetchedResultsControllerDelegate {
    var changes: [NSFetchedResultsChangeType] = []
    var updates = 0

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        changes = []
    }

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        changes.append(type)
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        updates += 1
    }
}

@MainActor @Suite("Fetched results controllers")
struct FetchedResults {
    private func controller(
        _ kitchen: Kitchen, sections: String? = nil, key: String = "minutes"
    ) throws -> NSFetchedResultsController<Recipe> {
        let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
        if key != "minutes" { request.sortDescriptors?.append(NSSortDescriptor(key: "minutes", ascending: true)) }
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: kitchen.context, sectionNameKeyPath: sections, cacheName: nil)
        try controller.performFetch()
        return controller
    }

    // Source: Xcode's Master-Detail template
    @Test("Shows rows by index path")
    func rows() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let controller = try controller(kitchen)
        #expect(controller.sections?.first?.numberOfObjects == 4)
        let path = IndexPath(row: 1, section: 0)
        #expect(controller.object(at: path).name == "pancakes")
        #expect(controller.indexPath(forObject: controller.object(at: path)) == path)
    }

    // Source: Apple, NSFetchedResultsController, 'sectionNameKeyPath'
    @Test("Divides rows into sections")
    func sections() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let controller = try controller(kitchen, sections: "courseRaw", key: "courseRaw")
        #expect(controller.sections?.map(\.name) == ["0", "1", "2"])
        #expect(controller.sections?.map(\.numberOfObjects) == [1, 1, 2])
    }

    // Source: widely copied recipe: sections by a related object
    @Test("Divides rows into sections by a related object's name")
    func relatedSections() throws {
        let kitchen = try Kitchen()
        let recipes = try kitchen.fill()
        recipes[3].cook = recipes[2].cook
        try kitchen.context.save()
        let controller = try controller(kitchen, sections: "cook.name", key: "cook.name")
        #expect(controller.sections?.map(\.name) == ["Ann", "Bob"])
    }

    // Source: Apple, NSFetchedResultsControllerDelegate
    @Test("Follows insertions, edits, moves and deletions")
    func follow() throws {
        let kitchen = try Kitchen()
        let recipes = try kitchen.fill()
        let controller = try controller(kitchen)
        let table = Table()
        controller.delegate = table
        let toast = Recipe(context: kitchen.context)
        toast.minutes = 5
        try kitchen.context.save()
        #expect(table.changes == [.insert])
        recipes[0].name = "Salad"
        try kitchen.context.save()
        #expect(table.changes == [.update])
        recipes[3].minutes = 1
        try kitchen.context.save()
        #expect(table.changes.contains(.move))
        kitchen.context.delete(toast)
        try kitchen.context.save()
        #expect(table.changes == [.delete] && table.updates == 4)
        #expect(controller.fetchedObjects?.first?.name == "Beef stew")
    }

    // Source: widely copied recipe: a list that follows background imports
    @Test("Follows background saves that the context merges")
    func background() async throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        kitchen.context.automaticallyMergesChangesFromParent = true
        let controller = try controller(kitchen)
        let table = Table()
        controller.delegate = table
        try await kitchen.container.performBackgroundTask { @Sendable context in
            Recipe(context: context).minutes = 5
            try context.save()
        }
        await kitchen.context.perform {}
        #expect(controller.fetchedObjects?.count == 5 && table.updates >= 1)
    }

    // Source: widely copied recipe: searching in a list
    @Test("Fetches again with another predicate")
    func search() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let controller = try controller(kitchen)
        controller.fetchRequest.predicate = NSPredicate(format: "name CONTAINS[cd] %@", "e")
        try controller.performFetch()
        #expect(controller.fetchedObjects?.map(\.name) == ["pancakes", "Éclair", "Beef stew"])
    }

    // Source: Apple, NSFetchedResultsController, 'sectionIndexTitles'
    @Test("Gives titles for an index beside the list")
    func indexTitles() throws {
        let kitchen = try Kitchen()
        let recipes = try kitchen.fill()
        recipes[3].cook = recipes[2].cook
        try kitchen.context.save()
        let controller = try controller(kitchen, sections: "cook.name", key: "cook.name")
        #expect(controller.sectionIndexTitles == ["A", "B"])
        #expect(controller.section(forSectionIndexTitle: "B", at: 1) == 1)
    }

    // Source: Apple, NSFetchedResultsController; a related object that decides membership
    @Test("CD20 Follows related objects in the predicate's key paths")
    func relatedChange() throws {
        let kitchen = try Kitchen()
        let recipes = try kitchen.fill()
        let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
        request.predicate = NSPredicate(format: "cook.name == 'Ann'")
        request.sortDescriptors = [NSSortDescriptor(key: "minutes", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: kitchen.context, sectionNameKeyPath: nil, cacheName: nil)
        let table = Table()
        controller.delegate = table
        try controller.performFetch()
        recipes[2].cook?.name = "Ann"
        try kitchen.context.save()
        #expect(controller.fetchedObjects?.count == 3)
    }

    // Source: Apple, NSFetchedResultsControllerDelegate
    @Test("CD19 Compares the delegate's controller by ==")
    func sameController() throws {
        final class Watcher: NSObject, NSFetchedResultsControllerDelegate {
            var expected: NSObject?
            var isEqual = false
            func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
                isEqual = controller == expected
            }
        }
        let kitchen = try Kitchen()
        try kitchen.fill()
        let controller = try controller(kitchen)
        let watcher = Watcher()
        watcher.expected = controller
        controller.delegate = watcher
        _ = Recipe(context: kitchen.context)
        try kitchen.context.save()
        #expect(watcher.isEqual)
    }

    // Source: Apple, NSFetchedResultsControllerDelegate
    @Test("Follows edits that are not saved, at the end of the event")
    func unsavedEdit() async throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        let controller = try controller(kitchen)
        let table = Table()
        controller.delegate = table
        recipe.minutes = 1000
        await kitchen.context.perform {}
        await kitchen.context.perform {}
        #expect(table.updates == 1 && controller.fetchedObjects?.last === recipe)
    }
}
