import CoreData
import Foundation
import Testing

@Suite("Derived attributes in migrations")
struct DerivedMigrationTests {
    private func derive(
        _ model: NSManagedObjectModel, _ entity: String, _ attributes: NSDerivedAttributeDescription...
    ) -> NSManagedObjectModel {
        model.entitiesByName[entity]?.properties += attributes
        return model
    }

    private func keeper(_ context: NSManagedObjectContext) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Keeper")
        return try #require(try context.fetch(request).first)
    }

    private func beasts(_ context: NSManagedObjectContext, _ key: String) throws -> [String?] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Beast")
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        return try context.fetch(request).map { $0.value(forKey: key) as? String }
    }

    @Test("new ones are computed and kept up to date")
    func added() throws {
        let file = try FarmFile()
        try file.fill()
        let model = derive(
            Farm.second(), "Keeper", Zoo.derived("animalCount", .integer64AttributeType, "animals.@count"),
            Zoo.derived("totalAge", .integer64AttributeType, "animals.@sum.age"),
            Zoo.derived("loud", .stringAttributeType, "uppercase:(name)"),
            Zoo.derived("touched", .dateAttributeType, "now()"))
        _ = derive(model, "Beast", Zoo.derived("loudKeeper", .stringAttributeType, "keeper.loud"))
        for round in 0..<2 {
            try file.withContext(model) { context in
                let keeper = try keeper(context)
                #expect(keeper.value(forKey: "animalCount") as? Int == 2 + round)
                #expect(keeper.value(forKey: "totalAge") as? Int == 1 + 7 * round)
                #expect(keeper.value(forKey: "loud") as? String == (round == 0 ? "IDA" : "EVA"))
                #expect(keeper.value(forKey: "touched") is Date)
                #expect(
                    try beasts(context, "loudKeeper")
                        == (round == 0 ? ["IDA", "IDA", nil] : ["EVA", "EVA", nil, "EVA"]))
                guard round == 0 else { return }
                keeper.setValue("Eva", forKey: "name")
                let beast = NSEntityDescription.insertNewObject(forEntityName: "Beast", into: context)
                beast.setValue(7, forKey: "age")
                beast.setValue(keeper, forKey: "keeper")
                try context.save()
            }
        }
    }

    @Test("renamed ones are kept up to date under the new names, and removed ones leave no trigger")
    func renamed() throws {
        let file = try FarmFile()
        let first = derive(
            Farm.first(), "Keeper", Zoo.derived("animalCount", .integer64AttributeType, "animals.@count"),
            Zoo.derived("totalAge", .integer64AttributeType, "animals.@sum.age"),
            Zoo.derived("loud", .stringAttributeType, "uppercase:(name)"))
        try file.withContext(first) { context in
            let keeper = NSEntityDescription.insertNewObject(forEntityName: "Keeper", into: context)
            keeper.setValue("Ida", forKey: "name")
            for age in [2, 3] {
                let animal = NSEntityDescription.insertNewObject(forEntityName: "Animal", into: context)
                animal.setValue(age, forKey: "age")
                animal.setValue(keeper, forKey: "keeper")
            }
            try context.save()
        }
        let second = derive(
            Farm.second(), "Keeper", Zoo.derived("animalCount", .integer64AttributeType, "animals.@count"),
            Zoo.derived("sum", .integer64AttributeType, "animals.@sum.age"),
            Zoo.derived("loud", .stringAttributeType, "lowercase:(name)"))
        second.entitiesByName["Keeper"]?.attributesByName["sum"]?.renamingIdentifier = "totalAge"
        try file.withContext(second) { context in
            let keeper = try keeper(context)
            #expect(keeper.value(forKey: "animalCount") as? Int == 2)
            #expect(keeper.value(forKey: "sum") as? Int == 5)
            #expect(keeper.value(forKey: "loud") as? String == "ida")
            let request = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Beast"))
            _ = try context.execute(request)
            context.refreshAllObjects()
            #expect(keeper.value(forKey: "animalCount") as? Int == 0 && keeper.value(forKey: "sum") as? Int == 0)
        }
    }

    @Test("migration to a model with one that cannot be computed fails with 134110, and the file is unchanged")
    func refused() throws {
        let file = try FarmFile()
        try file.fill()
        let before = file.contents
        let model = derive(Farm.second(), "Keeper", Zoo.derived("oldest", .integer64AttributeType, "animals.@max.age"))
        #expect(code { try file.withContext(model) } == 134110)
        #expect(file.contents == before)
    }
}
