import CoreData
import Foundation
import Testing

@MainActor @Suite("Conflicts and merge policies")
struct Merging {
    /// A recipe that two contexts changed: another saved 'Salad' and 11 minutes, the view context edited the name only.
    private func conflict(_ policy: NSMergePolicy) throws -> (Kitchen, Recipe) {
        let kitchen = try Kitchen(.file)
        let recipe = try kitchen.fill()[0]
        let id = recipe.objectID
        kitchen.context.mergePolicy = policy
        recipe.name = "Insalata"
        let other = kitchen.container.newBackgroundContext()
        try other.performAndWait {
            let same = try #require(other.object(with: id) as? Recipe)
            same.name = "Salad"
            same.minutes = 11
            try other.save()
        }
        return (kitchen, recipe)
    }

    // Source: Apple, NSMergePolicy, 'error'
    @Test("Fails if another context saved first")
    func failing() throws {
        let (kitchen, _) = try conflict(.error)
        do {
            try kitchen.context.save()
            Issue.record("saved")
        } catch let error as NSError {
            #expect(error.code == NSManagedObjectMergeError)
            let conflicts = error.userInfo["conflictList"] as? [NSMergeConflict]
            #expect(conflicts?.count == 1)
        }
    }

    // Source: Apple, NSMergePolicy, 'mergeByPropertyObjectTrump'
    @Test("Lets unsaved values win, property by property")
    func objectTrump() throws {
        let (kitchen, recipe) = try conflict(.mergeByPropertyObjectTrump)
        try kitchen.context.save()
        #expect(recipe.name == "Insalata" && recipe.minutes == 11)
    }

    // Source: Apple, NSMergePolicy, 'mergeByPropertyStoreTrump'
    @Test("Lets stored values win, property by property")
    func storeTrump() throws {
        let (kitchen, recipe) = try conflict(.mergeByPropertyStoreTrump)
        try kitchen.context.save()
        #expect(recipe.name == "Salad" && recipe.minutes == 11)
    }

    // Source: Apple, NSMergePolicy, 'overwrite'
    @Test("Overwrites the row as it was read")
    func overwrite() throws {
        let (kitchen, recipe) = try conflict(.overwrite)
        try kitchen.context.save()
        #expect(recipe.name == "Insalata" && recipe.minutes == 10)
    }

    // Source: Apple, NSMergePolicy, 'rollback'
    @Test("Discards edits of rows that another context changed")
    func rollback() throws {
        let (kitchen, recipe) = try conflict(.rollback)
        try kitchen.context.save()
        #expect(recipe.name == "Salad" && recipe.minutes == 11)
    }

    // Source: Apple, NSMergePolicy, 'resolve(optimisticLockingConflicts:)'
    @Test("Resolves conflicts with a custom policy")
    func ownPolicy() throws {
        final class LongestName: NSMergePolicy, @unchecked Sendable {  // Adds no state.
            override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
                for conflict in list {
                    let stored = (conflict.persistedSnapshot ?? conflict.cachedSnapshot)?["name"] as? String ?? ""
                    let own = conflict.objectSnapshot?["name"] as? String ?? ""
                    conflict.sourceObject.setValue(stored.count > own.count ? stored : own, forKey: "name")
                }
                try super.resolve(optimisticLockingConflicts: list)
            }
        }
        let (kitchen, recipe) = try conflict(LongestName(merge: .mergeByPropertyObjectTrumpMergePolicyType))
        try kitchen.context.save()
        #expect(recipe.name == "Insalata" && recipe.minutes == 11)
    }

    // Source: Apple, 'Loading and displaying a large data feed'; widely copied recipe: upserts by constraint
    @Test("Updates the row that already has a unique value")
    func upsert() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        kitchen.context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        let tag = Tag(context: kitchen.context)
        tag.label = "quick"
        try kitchen.context.save()
        #expect(try kitchen.context.count(for: Tag.fetchRequest()) == 2)
    }

    // Source: Apple, NSConstraintConflict
    @Test("Fails for a second object with a unique value")
    func duplicate() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        Tag(context: kitchen.context).label = "quick"
        do {
            try kitchen.context.save()
            Issue.record("saved")
        } catch let error as NSError {
            #expect(error.code == NSManagedObjectConstraintMergeError)
            let conflicts = error.userInfo["conflictList"] as? [NSConstraintConflict]
            #expect(conflicts?.first?.constraint == ["label"])
        }
    }

    // Source: Apple, NSMergePolicy; a stored object that takes a unique value
    @Test("CD22 Fails if an edited object takes another row's unique value")
    func takenValue() throws {
        let kitchen = try Kitchen()
        let recipes = try kitchen.fill()
        kitchen.context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        let cheap = try #require(recipes[3].tags.first)
        cheap.label = "quick"
        do {
            try kitchen.context.save()
            Issue.record("saved")
        } catch let error as NSError {
            #expect(error.code == NSManagedObjectConstraintMergeError)
        }
    }

    // Source: Apple, NSMergePolicy; another context saved the values that were there
    @Test("CD13 Finds no conflict if other saves left the values unchanged")
    func sameValues() throws {
        let kitchen = try Kitchen(.file)
        let recipe = try kitchen.fill()[0]
        let id = recipe.objectID
        recipe.name = "Insalata"
        let other = kitchen.container.newBackgroundContext()
        try other.performAndWait {
            let same = try #require(other.object(with: id) as? Recipe)
            for name in ["Salad", "Tomato salad"] {
                same.name = name
                try other.save()
            }
        }
        try kitchen.context.save()
        #expect(try kitchen.names().first == "Insalata")
    }
}
