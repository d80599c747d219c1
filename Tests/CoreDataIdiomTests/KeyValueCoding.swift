import CoreData
import Foundation
import Testing

@MainActor @Suite("Key-value coding")
struct KeyValueCoding {
    // Source: Apple, 'Core Data Programming Guide', Accessing and Modifying Managed Objects
    @Test("Reads and writes a value by its key")
    func byKey() throws {
        let object: NSManagedObject = Recipe(context: try Kitchen().context)
        object.setValue("Toast", forKey: "name")
        object.setValue(5, forKey: "minutes")
        #expect(object.value(forKey: "name") as? String == "Toast")
        #expect(object.value(forKey: "minutes") as? Int == 5)
        #expect(object.value(forKey: "minutes") as? Int32 == 5)
    }

    // Source: Apple, 'Core Data Programming Guide', Accessing and Modifying Managed Objects
    @Test("Follows a key path through a relationship")
    func keyPath() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        #expect(recipe.value(forKeyPath: "cook.name") as? String == "Ann")
        recipe.setValue("Anna", forKeyPath: "cook.name")
        #expect(recipe.cook?.name == "Anna")
    }

    // Source: Apple, 'Key-Value Coding Programming Guide'
    @Test("Reads and writes several values at once")
    func several() throws {
        let recipe = Recipe(context: try Kitchen().context)
        recipe.setValuesForKeys(["name": "Toast", "minutes": 5])
        let values = recipe.dictionaryWithValues(forKeys: ["name", "minutes"])
        #expect(values["name"] as? String == "Toast" && values["minutes"] as? Int == 5)
    }

    // Source: widely copied recipe: importing JSON by the entity's attributes
    @Test("Imports a dictionary by attribute names")
    func importing() throws {
        let json = Data(#"{"name": "Toast", "minutes": 5, "rating": 4.5, "vegetarian": false, "unknown": 1}"#.utf8)
        let values = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        let recipe = Recipe(context: try Kitchen().context)
        for key in recipe.entity.attributesByName.keys where values[key] != nil {
            recipe.setValue(values[key], forKey: key)
        }
        #expect(recipe.name == "Toast" && recipe.minutes == 5 && recipe.rating == 4.5 && !recipe.vegetarian)
    }

    // Source: widely copied recipe: a value transformed on import
    @Test("Reads an attribute's class name and type before it sets a value")
    func types() throws {
        let kitchen = try Kitchen()
        let attributes = Recipe(context: kitchen.context).entity.attributesByName
        #expect(attributes["created"]?.attributeType == .dateAttributeType)
        #expect(attributes["created"]?.attributeValueClassName == "NSDate")
        #expect(attributes["name"]?.attributeValueClassName == "NSString")
        #expect(attributes["minutes"]?.defaultValue as? Int == 0)
    }

    // Source: Apple, 'Key-Value Coding Programming Guide', Using Collection Operators
    @Test("Counts, sums and averages the values of related objects")
    func operators() throws {
        let kitchen = try Kitchen()
        let cook = try #require(try kitchen.fill()[0].cook)
        #expect(cook.value(forKeyPath: "recipes.@count") as? Int == 2)
        #expect((cook.value(forKeyPath: "recipes.@sum.minutes") as? NSNumber)?.intValue == 30)
        #expect((cook.value(forKeyPath: "recipes.@avg.rating") as? NSNumber)?.doubleValue == 4)
        #expect((cook.value(forKeyPath: "recipes.@max.minutes") as? NSNumber)?.intValue == 20)
        #expect((cook.value(forKeyPath: "recipes.@min.minutes") as? NSNumber)?.intValue == 10)
    }

    // Source: Apple, 'Key-Value Coding Programming Guide'
    @Test("Collects one value of all related objects")
    func collect() throws {
        let kitchen = try Kitchen()
        let cook = try kitchen.fill()[0].cook
        #expect(cook?.value(forKeyPath: "recipes.name") as? Set<String> == ["Tomato salad", "pancakes"])
    }

    // Source: Apple, NSManagedObject, 'setPrimitiveValue(_:forKey:)'
    @Test("Sets a primitive value between change notifications")
    func primitive() throws {
        let recipe = Recipe(context: try Kitchen().context)
        recipe.willChangeValue(forKey: "name")
        recipe.setPrimitiveValue("Toast", forKey: "name")
        recipe.didChangeValue(forKey: "name")
        #expect(recipe.primitiveValue(forKey: "name") as? String == "Toast")
        #expect(recipe.name == "Toast")
    }

    // Source: widely copied recipe: the identifier as a value
    @Test("Reads an object's identifier by key")
    func identifier() throws {
        let recipe = Recipe(context: try Kitchen().context)
        #expect(recipe.value(forKey: "objectID") as? NSManagedObjectID == recipe.objectID)
    }

    // Source: widely copied recipe: numbers, dates and decimals by key
    @Test("Accepts Foundation's types, and bridges them to Swift's")
    func bridging() throws {
        let recipe = Recipe(context: try Kitchen().context)
        recipe.setValue(NSNumber(value: 12), forKey: "minutes")
        recipe.setValue(NSDate(timeIntervalSinceReferenceDate: 5), forKey: "created")
        recipe.setValue(Decimal(3), forKey: "price")
        #expect(recipe.minutes == 12)
        #expect(recipe.created == Date(timeIntervalSinceReferenceDate: 5))
        #expect(recipe.price == 3)
        #expect(recipe.value(forKey: "price") is NSDecimalNumber)
    }

    // Source: Apple, NSManagedObject, 'validateValue(_:forKey:)'
    @Test("Validates a value before it is set")
    func validate() throws {
        let recipe = Recipe(context: try Kitchen().context)
        var good: Any? = "Toast"
        try recipe.validateValue(&good, forKey: "name")
        var missing: Any?
        #expect(throws: (any Error).self) { try recipe.validateValue(&missing, forKey: "name") }
    }

    // Source: Apple, 'Key-Value Coding Programming Guide', Using Collection Operators
    @Test("Collects a value of every object of an array")
    func array() throws {
        let kitchen = try Kitchen()
        let recipes = try kitchen.fill() as NSArray
        #expect((recipes.value(forKey: "name") as? [String])?.first == "Tomato salad")
        #expect((recipes.value(forKeyPath: "@sum.minutes") as? NSNumber)?.intValue == 270)
    }

    // Source: widely copied recipe: an object by key
    @Test("Reads the object itself by key")
    func itself() throws {
        let recipe = Recipe(context: try Kitchen().context)
        #expect(recipe.value(forKey: "self") as? Recipe === recipe)
    }

    // Source: Apple, NSObject, 'willChangeValue(for:)'
    @Test("Notifies of a change by a key path")
    func announce() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        recipe.willChangeValue(for: \.name)
        recipe.setPrimitiveValue("Salad", forKey: "name")
        recipe.didChangeValue(for: \.name)
        #expect(recipe.changedValues()["name"] as? String == "Salad")
    }

    // Source: Apple, 'Key-Value Coding Programming Guide', Using Collection Operators
    @Test("Sums decimals of related objects as a decimal")
    func decimalOperator() throws {
        let kitchen = try Kitchen()
        let cook = try kitchen.fill()[0].cook
        #expect(cook?.value(forKeyPath: "recipes.@sum.price") as? NSDecimalNumber == NSDecimalNumber(string: "7.35"))
    }
}
