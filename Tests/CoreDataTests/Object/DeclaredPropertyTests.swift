import Foundation
import Testing

@testable import CoreData

private final class Item: NSManagedObject {
    enum Kind: Int16 { case plain, special }
    enum Mood: String, CaseIterable { case calm, wild }
    enum Rank: Int16 { case low = 3, high = 7 }
    enum Debt: Int16 { case small = -2, large = -9 }

    @Managed var title: String
    @Managed var kind: Kind
    @Managed var mood: Mood
    @Managed var maybe: Kind?
    @Managed var rank: Rank
    @Managed var debt: Debt
    @Managed var price: NSDecimalNumber
    @Managed var count: NSNumber
    @Managed var link: URL
    @Managed var list: List
    @Managed var paint: ItemPaint
    @Managed var labels: NSArray
    @Managed private var primitiveTitle: String?

    var shout: String {
        get {
            willAccessValue(forKey: "title")
            defer { didAccessValue(forKey: "title") }
            return primitiveTitle?.uppercased() ?? ""
        }
        set {
            willChangeValue(for: \.title)
            primitiveTitle = newValue.lowercased()
            didChangeValue(for: \.title)
        }
    }
}

private final class List: NSManagedObject {
    @Managed var name: String?
    @Managed var items: NSSet
    @Managed var order: NSOrderedSet
}

/// Not private: an archive contains the name of its class.
final class ItemPaint: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true
    let shade: Int

    init(shade: Int) { self.shade = shade }
    init?(coder: NSCoder) { shade = coder.decodeInteger(forKey: "shade") }
    func encode(with coder: NSCoder) { coder.encode(shade, forKey: "shade") }
}

extension NSManagedObject {
    fileprivate static func make(in context: NSManagedObjectContext) -> Self { Self(context: context) }
}

@Suite("Declared properties and initializers of managed object classes")
struct DeclaredPropertyTests {
    private func make<Object: NSManagedObject>(_ type: Object.Type, in context: NSManagedObjectContext) -> Object {
        Object(context: context)
    }

    private func stack() throws -> TestStack {
        let types: [(String, NSAttributeDescription.AttributeType)] = [
            ("title", .string), ("kind", .integer16), ("mood", .string), ("maybe", .integer16), ("rank", .integer16),
            ("debt", .integer16), ("price", .decimal),
            ("count", .integer64), ("link", .uri), ("labels", .transformable), ("paint", .transformable),
        ]
        let item = ModelZoo.entity("Item", types.map { ModelZoo.attribute($0, $1) })
        let list = ModelZoo.entity("List", [ModelZoo.attribute("name", .string)])
        (item.managedObjectClassName, list.managedObjectClassName) = (
            String(reflecting: Item.self), String(reflecting: List.self)
        )
        ModelZoo.relate(list, "items", maximum: 0, item, inverse: "list", maximum: 1)
        ModelZoo.relate(list, "order", maximum: 0, item, inverse: "ordered", maximum: 0).isOrdered = true
        Item.register()
        List.register()
        return try TestStack(model: ModelZoo.model([item, list]))
    }

    @Test("CD57 Objects are made by generic code, static members, metatypes, and NSManagedObject's own initialiser")
    func making() throws {
        let stack = try stack()
        let context = stack.context
        #expect(make(Item.self, in: context).entity.name == "Item" && List.make(in: context).entity.name == "List")
        let type: NSManagedObject.Type = Item.self
        #expect(type.init(context: context) is Item)
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Item", in: context))
        #expect(NSManagedObject(entity: entity, insertInto: context) is Item)
        #expect(Item(entity: entity, insertInto: context).managedObjectContext === context)
        #expect(Item(entity: entity, insertInto: nil).managedObjectContext == nil)
        #expect(try context.fetch(NSFetchRequest<Item>(entityName: "Item")).count == 4)
    }

    @Test("Objects created without arguments have no context; those without a subclass have no properties")
    func noArguments() throws {
        let thing = NSEntityDescription()
        thing.name = "Thing"
        thing.properties = [ModelZoo.attribute("name", .string)]
        let stack = try TestStack(model: ModelZoo.model([thing]))
        #expect(NSManagedObject().entity.properties.isEmpty && stack.context.insertedObjects.isEmpty)
        #expect(NSManagedObject().managedObjectContext == nil && ItemPaint(shade: 1).shade == 1)
        #expect(NSConstraintConflict().conflictingObjects.isEmpty)
    }

    @Test("CD58 Enums are stored by raw value; an unknown raw value reads as the case for a missing value")
    func enums() throws {
        let stack = try stack()
        let context = stack.context
        let item = Item(context: context)
        #expect(item.kind == .plain && item.maybe == nil && item.mood == .calm)
        #expect(item.rank == .low && item.debt == .small)
        (item.kind, item.maybe, item.mood) = (.special, .plain, .wild)
        #expect(item.value(forKey: "kind") as? Int == 1 && item.value(forKey: "mood") as? String == "wild")
        try context.save()
        context.refresh(item, mergeChanges: false)
        #expect(item.kind == .special && item.maybe == .plain && item.mood == .wild)
        item.setValue(9, forKey: "kind")
        item.setValue(9, forKey: "maybe")
        #expect(item.kind == .plain && item.maybe == nil)
        item.maybe = nil
        #expect(item.value(forKey: "maybe") == nil)
    }

    @Test("CD58 Foundation objects that are not optional read as empty ones until they are set")
    func objects() throws {
        let stack = try stack()
        let context = stack.context
        let (item, list) = (Item(context: context), List(context: context))
        #expect(item.price == 0 && item.count == 0 && item.labels.count == 0 && item.link.path == "/")
        #expect(list.items.count == 0 && list.order.count == 0)
        (item.price, item.count, item.labels) = (NSDecimalNumber(string: "1.5"), 7, ["a"])
        item.paint = ItemPaint(shade: 3)
        (list.items, list.order) = (NSSet(object: item), NSOrderedSet(object: item))
        try context.save()
        #expect(item.price == NSDecimalNumber(string: "1.5") && item.count == 7 && item.labels == ["a"])
        #expect(item.paint.shade == 3 && item.list === list && list.items.count == 1 && list.order.count == 1)
    }

    @Test("CD58 A to-one relationship that is not optional returns an empty object if it has no destination")
    func missingDestination() throws {
        let stack = try stack()
        let context = stack.context
        let (item, list) = (Item(context: context), List(context: context))
        #expect(item.list.name == nil && item.list.managedObjectContext == nil && item.value(forKey: "list") == nil)
        item.list = list
        list.name = "Top"
        #expect(item.list === list && item.list.name == "Top")
    }

    @Test("CD60 Primitive accessors mark no change, by property or by key; willChangeValue(for:) does")
    func primitives() throws {
        let stack = try stack()
        let context = stack.context
        let item = Item(context: context)
        try context.save()
        item.shout = "HELLO"
        #expect(item.title == "hello" && item.shout == "HELLO" && item.isUpdated)
        try context.save()
        item.setValue("quiet", forKey: "primitiveTitle")
        #expect(item.value(forKey: "primitiveTitle") as? String == "quiet" && item.title == "quiet" && !item.isUpdated)
        #expect(item.primitiveValue(forKey: "title") as? String == "quiet")
    }

    @Test("The key self returns the object, and collections return the values of their members")
    func keyValueCoding() throws {
        let stack = try stack()
        let context = stack.context
        let items = (1...3).map { count in
            let item = Item(context: context)
            item.count = NSNumber(value: count)
            return item
        }
        items[0].title = "a"
        #expect(items[0].value(forKey: "self") as? Item === items[0])
        let list = NSArray(array: items)
        #expect(list.value(forKey: "count") as? [Int] == [1, 2, 3])
        #expect((list.value(forKey: "title") as? NSArray)?[1] is NSNull)
        #expect(list.value(forKeyPath: "@sum.count") as? Int == 6)
        #expect(list.value(forKey: "@count") as? Int == 3)
        #expect(NSSet(array: items).value(forKey: "title") as? Set<String> == ["a"])
        #expect(NSOrderedSet(array: items).value(forKeyPath: "@max.count") as? Int == 3)
    }
}
