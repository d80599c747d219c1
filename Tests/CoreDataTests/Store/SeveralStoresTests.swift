import ObjectGraph
import Testing

@testable import CoreData

/// One save, several stores.
@Suite struct SeveralStoresTests {
    /// Owners and their passports in one store, notes in the other.
    private func stack() throws -> TestStack {
        let (owner, passport) = (
            Zoo.entity("Owner", NSManagedObject.self), Zoo.entity("Passport", NSManagedObject.self)
        )
        let note = Zoo.entity("Note", NSManagedObject.self)
        owner.properties = [Zoo.attribute("name", .stringAttributeType)]
        owner.uniquenessConstraints = [["name"]]
        passport.properties = [Zoo.attribute("number", .integer64AttributeType)]
        note.properties = [Zoo.attribute("text", .stringAttributeType)]
        Zoo.link(
            owner, "passport", .toOne, .nullifyDeleteRule, passport, "owner", .toOne, .nullifyDeleteRule)
        let model = NSManagedObjectModel()
        model.entities = [owner, passport, note]
        model.setEntities([owner, passport], forConfigurationName: "Owners")
        model.setEntities([note], forConfigurationName: "Notes")
        let stack = try TestStack(model: model, addsStore: false)
        for configuration in ["Owners", "Notes"] {
            try stack.add(.file, configuration, configuration: configuration)
        }
        return stack
    }

    @Test("A save fails with an error while an object is assigned to a store that cannot take it")
    func assigning() throws {
        let stack = try stack()
        let stores = try ["Owners", "Notes"].map { name in
            try #require(stack.coordinator.persistentStores.first { $0.configurationName == name })
        }
        let note = stack.insert("Note", ["text": "n"])
        stack.context.assign(note, to: stores[0])
        #expect(code { try stack.context.save() } == 134070)
        stack.context.assign(note, to: stores[1])
        try stack.context.save()
        #expect(note.objectID.persistentStore === stores[1])
        stack.context.assign(note, to: stores[1])
        #expect(!stack.context.hasChanges)
        stack.context.assign(note, to: stores[0])
        #expect(code { try stack.context.save() } == 1550)
        stack.context.rollback()
        note.setValue("m", forKey: "text")
        try stack.context.save()
        #expect(try stack.count("Note", NSPredicate(format: "text == 'm'")) == 1)
    }

    @Test("A row unlinked by an upsert is registered with its new version, also if other stores were written")
    func unlinked() throws {
        let stack = try stack()
        let owner = stack.insert("Owner", ["name": "a"])
        let passport = stack.insert("Passport", ["number": 1, "owner": owner])
        try stack.context.save()
        stack.context.mergePolicy = .mergeByPropertyObjectTrump
        stack.insert("Owner", ["name": "a"])
        stack.insert("Note", ["text": "n"])
        try stack.context.save()
        #expect(passport.value(forKey: "owner") == nil)
        stack.context.mergePolicy = NSMergePolicy.error
        passport.setValue(2, forKey: "number")
        try stack.context.save()
        #expect(try stack.count("Passport", NSPredicate(format: "number == 2 AND owner == nil")) == 1)
    }

    @Test("A bulk delete in a save is executed in all stores of a coordinator")
    func plannedDeletes() throws {
        let stack = try stack()
        stack.insert("Note", ["text": "n"])
        stack.insert("Owner", ["name": "a"])
        try stack.context.save()
        var changes = ChangeSet()
        changes.bulkDelete = DeleteRequest(.everything)
        guard case .saved(let rows) = try stack.coordinator.core.stores.save(changes) else {
            Issue.record("There are no conflicts.")
            return
        }
        #expect(rows.plan.deleted.count == 2)
        #expect(try stack.count("Note") == 0)
        #expect(try stack.count("Owner") == 0)
    }

    @Test("New objects are found only in the store that they are assigned to")
    func unsavedInStores() throws {
        let stack = try TestStack(.file)
        let second = try stack.add(.file, "second")
        let first = try #require(stack.coordinator.persistentStores.first)
        let (here, there) = (stack.insert("Tag"), stack.insert("Tag"))
        stack.context.assign(there, to: second)
        for isSaved in [false, true] {
            for (store, object) in [(first, here), (second, there)] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
                request.affectedStores = [store]
                #expect(try stack.context.fetch(request) == [object], "saved: \(isSaved)")
                #expect(try stack.context.count(for: request) == 1)
            }
            try stack.context.save()
        }
    }
}
