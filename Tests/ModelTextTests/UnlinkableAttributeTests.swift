import Testing

/// The plug-in's warning. Its file is linked here, as tests cannot import a plug-in.
@Suite("Attributes that do not link without Objective-C")
struct UnlinkableAttributeTests {
    @Test(
        "The first @NSManaged is found, by its line",
        arguments: [
            ("@NSManaged var name: String", 1), ("class Item {\n\n    @NSManaged public var name: String?\n}", 3),
            ("class Item {\n    @objc @NSManaged var a: Int\n    @NSManaged var b: Int\n}", 2),
            ("// @NSManaged var old: Int\n@NSManaged\nvar name: String", 2), ("/// Text.\r\n@NSManaged var a: Int", 2),
        ])
    func found(source: String, line: Int) throws {
        let attribute = try #require(UnlinkableAttribute(firstIn: source))
        #expect(attribute.line == line)
    }

    @Test(
        "Comments, other attributes, and source with a part for Apple's systems give no warning",
        arguments: [
            "", "@Managed var name: String", "    // @NSManaged var name: String", "let a = 1  // was @NSManaged",
            "/// Replaces `@NSManaged`.\nvar a: Int", "@NSManagedCopy var name: String",
            "#if canImport(ObjectiveC)\n@NSManaged var a: Int\n#else\n@Managed var a: Int\n#endif",
        ])
    func notFound(source: String) {
        #expect(UnlinkableAttribute(firstIn: source) == nil)
    }

    @Test("The warning names the attribute to use instead")
    func warning() {
        #expect(UnlinkableAttribute.warning.contains("'@NSManaged'"))
        #expect(UnlinkableAttribute.warning.hasSuffix("write '@Managed'"))
    }
}
