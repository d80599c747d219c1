import AppleFormats
import CoreData
import SQLiteStore
import Testing

/// Attributes whose values are transformed before they are stored.
@Suite struct TransformableTests {
    private struct Point: Equatable {
        var x: Int
        var y: Int
    }

    /// A value of no archivable type, as two numbers.
    private final class PointTransformer: ValueTransformer {
        override func transformedValue(_ value: Any?) -> Any? {
            (value as? Point).map { Data("\($0.x),\($0.y)".utf8) }
        }

        override func reverseTransformedValue(_ value: Any?) -> Any? {
            guard let data = value as? Data else { return nil }
            let numbers = String(decoding: data, as: UTF8.self).split(separator: ",").compactMap { Int($0) }
            return numbers.count == 2 ? Point(x: numbers[0], y: numbers[1]) : nil
        }
    }

    /// Archives of texts alone.
    private final class TextsTransformer: NSSecureUnarchiveFromDataTransformer {
        override class var allowedTopLevelClasses: [AnyClass] { [NSArray.self, NSString.self] }
    }

    private func stack(_ transformer: String?) throws -> TestStack {
        let model = Zoo.model()
        let attribute = Zoo.attribute("extra", .transformableAttributeType)
        attribute.valueTransformerName = transformer
        try #require(model.entitiesByName["Tag"]).properties.append(attribute)
        return try TestStack(.file, model: model)
    }

    private func stored(_ stack: TestStack) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        return try #require(try stack.newContext().fetch(request).first)
    }

    @Test("A registered transformer makes the bytes, and the value from them")
    func registered() throws {
        ValueTransformer.setValueTransformer(PointTransformer(), forName: NSValueTransformerName("Point"))
        let stack = try stack("Point")
        let tag = stack.insert("Tag", ["extra": Point(x: 3, y: 4)])
        #expect(tag.value(forKey: "extra") as? Point == Point(x: 3, y: 4))
        try stack.context.save()
        let twin = try stored(stack)
        #expect(twin.value(forKey: "extra") as? Point == Point(x: 3, y: 4))
        twin.setValue(Point(x: 5, y: 6), forKey: "extra")
        try twin.managedObjectContext?.save()
        #expect(try stored(stack).value(forKey: "extra") as? Point == Point(x: 5, y: 6))
        twin.setValue(nil, forKey: "extra")
        try twin.managedObjectContext?.save()
        #expect(try stored(stack).value(forKey: "extra") == nil)
        let request = NSFetchRequest<NSDictionary>(entityName: "Tag")
        tag.setValue(Point(x: 7, y: 8), forKey: "extra")
        stack.context.mergePolicy = .mergeByPropertyObjectTrump
        try stack.context.save()
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["extra"]
        #expect(try stack.context.fetch(request).first?["extra"] as? Point == Point(x: 7, y: 8))
    }

    @Test(
        "A value that the transformer cannot transform is refused, as is every value without a registered transformer")
    func refused() throws {
        ValueTransformer.setValueTransformer(PointTransformer(), forName: NSValueTransformerName("Point"))
        for name in ["Point", "Nobody's"] {
            let stack = try stack(name)
            stack.insert("Tag", ["extra": name == "Point" ? "no point" : Point(x: 1, y: 1)])
            #expect(throws: CocoaError.self) { try stack.context.save() }
        }
    }

    @Test(
        "Without a transformer name, and with the archiving transformers, values are keyed archives",
        arguments: [
            nil, "NSKeyedUnarchiveFromData", "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer",
        ])
    func archives(name: String?) throws {
        let stack = try stack(name)
        stack.insert("Tag", ["extra": ["a": [1, 2]]])
        try stack.context.save()
        let value = try #require(try stored(stack).value(forKey: "extra") as? [String: [Int]])
        #expect(value == ["a": [1, 2]])
    }

    @Test(
        "An archive in the file that contains itself reads as nil for every reader",
        arguments: [nil, "NSSecureUnarchiveFromData", "Texts"])
    func hostileArchive(name: String?) throws {
        ValueTransformer.setValueTransformer(TextsTransformer(), forName: NSValueTransformerName("Texts"))
        let stack = try stack(name)
        stack.insert("Tag", ["extra": ["fine"]])
        try stack.context.save()
        let circle = PropertyList.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
            "$top": .dictionary(["root": .uid(1)]),
            "$objects": .array([
                .string("$null"), .dictionary(["$class": .uid(2), "NS.objects": .array([.uid(1)])]),
                .dictionary(["$classname": .string("NSArray"), "$classes": .array([.string("NSArray")])]),
            ]),
        ])
        let connection = try Connection(.file(stack.fileURL()), access: .readWrite)
        try connection.withStatement("UPDATE ZTAG SET ZEXTRA = ?") { statement in
            try statement.bind(circle.binary, at: 1)
            try statement.run()
        }
        let tag = try stored(stack)
        #expect(tag.value(forKey: "extra") == nil)
        // Repaired, it is a value again.
        tag.setValue(["mended"], forKey: "extra")
        try tag.managedObjectContext?.save()
        #expect(try stored(stack).value(forKey: "extra") as? [String] == ["mended"])
    }

    @Test("A value that contains parts that cannot be archived is refused like a value of another type")
    func unarchivableMembers() throws {
        let stack = try stack(nil)
        let tag = stack.insert("Tag", ["extra": ["fine"]])
        try stack.context.save()
        let unfit: [Any] = [
            [Point(x: 1, y: 1)], ["a": Point(x: 1, y: 1)], ["a": [1, [Point(x: 1, y: 1)]]],
            NSArray(array: [Point(x: 1, y: 1)]), [tag], NSSet(array: [tag]), NSOrderedSet(array: [tag]), tag,
        ]
        for value in unfit {
            tag.setValue(value, forKey: "extra")
            #expect(code { try stack.context.save() } == 1550)
            stack.context.rollback()
        }
        #expect(try stored(stack).value(forKey: "extra") as? [String] == ["fine"])
    }

    @Test("CD31 A stored text that is no URI reads as nil, is kept, and does not make a save fail")
    func unreadableURIs() throws {
        let model = Zoo.model()
        let home = Zoo.attribute("home", .URIAttributeType, optional: false)
        model.entitiesByName["Animal"]?.properties += [home]
        let stack = try TestStack(.file, model: model)
        let url = URL(fileURLWithPath: "/zoo")
        stack.insert("Animal", ["name": "a", "home": url])
        try stack.context.save()
        let file = try Connection(.file(stack.fileURL()), access: .readWrite)
        try file.execute("UPDATE ZANIMAL SET ZHOME = ''")
        let context = stack.newContext()
        let animal = try #require(try context.fetch(NSFetchRequest<Animal>(entityName: "Animal")).first)
        #expect(animal.value(forKey: "home") == nil)
        animal.setValue(7, forKey: "age")
        try context.save()
        #expect(
            try file.withStatement("SELECT ZHOME, ZAGE FROM ZANIMAL") { row in
                try row.step() && row.optionalText(at: 0) == "" && row.integer(at: 1) == 7
            })
        animal.setValue(url, forKey: "home")
        var nothing: Any?
        #expect(code { try animal.validateValue(&nothing, forKey: "home") } == 1570)
    }
}
