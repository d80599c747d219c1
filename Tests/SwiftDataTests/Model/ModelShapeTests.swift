import Foundation
import SwiftData
import Testing

@Model private final class PrivateShape {
    var name: String
    init(name: String) { self.name = name }
}

/// Each model is inserted and saved, then fetched by another context and compared.
@Suite("Model classes in every shape")
struct ModelShapeTests {
    private func memory() -> ModelConfiguration { ModelConfiguration(isStoredInMemoryOnly: true) }

    /// An empty context that sees the saved rows of this model.
    private func saved<M: PersistentModel>(_ models: M...) throws -> ModelContext {
        let container = try ModelContainer(for: M.self, configurations: memory())
        let context = ModelContext(container)
        for model in models { context.insert(model) }
        try context.save()
        return ModelContext(container)
    }

    private func only<M: PersistentModel>(_ type: M.Type, in context: ModelContext) throws -> M {
        let all = try context.fetch(FetchDescriptor<M>())
        #expect(all.count == 1)
        return try #require(all.first)
    }

    @Test("Properties without a written type are stored")
    func inferred() throws {
        let shape = InferredShape()
        shape.number = 2
        shape.list.append(3)
        shape.empty = ["x"]
        shape.table["b"] = 2
        shape.maybe = nil
        shape.kind = .fancy
        shape.others = [InferredShape()]
        let context = try saved(shape)
        let all = try context.fetch(FetchDescriptor<InferredShape>())
        #expect(all.count == 2)
        let read = try #require(all.first { $0.number == 2 })
        #expect(read.list == [1, 2, 3] && read.empty == ["x"] && read.table == ["a": 1, "b": 2])
        #expect(read.maybe == nil && read.kind == .fancy && read.ratio == 0.5 && read.flag && read.text == "text")
        #expect(read.token == shape.token && read.day == shape.day)
        #expect(read.others.first?.maybe == 3)
    }

    @Test("Initializers within conditions of the build work")
    func conditionalInitializers() throws {
        let container = try ModelContainer(
            for: BuildSubshape.self, BuildInheritingShape.self, BuildPlainShape.self,
            configurations: memory())
        let context = ModelContext(container)
        context.insert(BuildShape(name: "base"))
        context.insert(BuildSubshape(size: 7))
        context.insert(BuildInheritingShape(name: "inherited"))
        context.insert(BuildPlainShape())
        try context.save()
        let other = ModelContext(container)
        let names = try other.fetch(FetchDescriptor<BuildShape>()).map(\.name)
        #expect(names.sorted() == ["base", "inherited", "sub"])
        #expect(try only(BuildSubshape.self, in: other).size == 7)
        #expect(try only(BuildInheritingShape.self, in: other).size == 2)
        #expect(try only(BuildPlainShape.self, in: other).name == "plain")
    }

    @Test("let with a value, private(set), fileprivate and private properties are stored")
    func access() throws {
        let shape = AccessShape(code: "A")
        shape.bump()
        shape.keep("kept")
        shape.label = "label"
        let context = try saved(shape)
        let read = try only(AccessShape.self, in: context)
        #expect(read.stamp == shape.stamp)
        #expect(read.constant == 7 && read.count == 1 && read.label == "label" && read.code == "A")
        #expect(read.kept == ["kept", "kept"])
    }

    @Test("Names of PersistentModel's requirements can be used for stored properties")
    func names() throws {
        let shape = NamesShape(constant: "constant")
        shape.isDeleted = true
        shape.hasChanges = true
        shape.modelContext = "context"
        shape.persistentModelID = 7
        shape.hash = "hash"
        shape.initialValue = "initial"
        shape.newValue = "new"
        let container = try ModelContainer(for: NamesShape.self, configurations: memory())
        let context = ModelContext(container)
        context.insert(shape)
        let anyShape: any PersistentModel = shape
        #expect(context.insertedModelsArray.map { $0.persistentModelID } == [anyShape.persistentModelID])
        try context.save()
        let read = try only(NamesShape.self, in: ModelContext(container))
        #expect(read.isDeleted && read.hasChanges && read.modelContext == "context" && read.persistentModelID == 7)
        #expect(read.id == shape.id && read.hash == "hash")
        #expect(read.initialValue == "initial" && read.newValue == "new")
        #expect(read.let == "constant" && read.var == 1)
        let found = try context.fetchCount(FetchDescriptor<NamesShape>(predicate: #Predicate { $0.isDeleted }))
        #expect(found == 1)
        context.delete(shape)
        #expect(anyShape.isDeleted)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<NamesShape>()) == 0)
    }

    @Test("Computed, static, lazy and transient members are not stored; observers run")
    func members() throws {
        let shape = MemberShape()
        shape.name = "fox"
        shape.limited = 20
        #expect(shape.limited == 10)
        shape.settable = 4
        #expect(shape.events == ["will fox", "did "])
        #expect(shape.shout == "FOX")
        shape.nested.b = ["x"]
        shape.optionalNested = MemberShape.Nested(a: 2)
        let context = try saved(shape)
        let read = try only(MemberShape.self, in: context)
        #expect(read.name == "fox" && read.limited == 4 && read.doubled == 8 && read[0] == "f")
        #expect(read.events.isEmpty && read.cache == nil && read.shout == "FOX")
        #expect(read.nested == MemberShape.Nested(b: ["x"]) && read.optionalNested == MemberShape.Nested(a: 2))
        let entity = Schema(MemberShape.self).entitiesByName["MemberShape"]
        #expect(
            entity?.storedProperties.map(\.name) == ["name", "limited", "nested", "optionalNested"])
    }

    @Test("Generic types of attributes are stored")
    func generics() throws {
        let shape = GenericShape()
        shape.box = Box(content: 5, label: "five")
        shape.boxes = [Box(content: "a"), Box(content: "b", label: "B")]
        shape.array = ["x"]
        shape.dictionary = ["k": [1, 2]]
        shape.optional = 3
        shape.range = 2...9
        shape.forced = "forced"
        shape.pairs = ["d": Box(content: Date(timeIntervalSinceReferenceDate: 10))]
        shape.deep = [[1], [], [2, 3]]
        let context = try saved(shape)
        let read = try only(GenericShape.self, in: context)
        #expect(read.box == shape.box && read.boxes == shape.boxes && read.array == ["x"])
        #expect(read.dictionary == ["k": [1, 2]] && read.optional == 3 && read.range == 2...9)
        #expect(read.forced == "forced" && read.pairs == shape.pairs && read.deep == [[1], [], [2, 3]])
    }

    @Test("SQL keywords, and names that differ in case only, can be used as names")
    func keywords() throws {
        let shape = KeywordShape()
        shape.order = 1
        shape.group = "g"
        shape.index = 2
        shape.key = "k"
        shape.value = 1.5
        shape.select = "s"
        shape.from = Date(timeIntervalSinceReferenceDate: 1)
        shape.table = "t"
        shape.limit = 3
        shape.primary = true
        shape.transaction = "tx"
        shape.rowid = 4
        shape.pk = 5
        shape.default = 6
        shape.in = "i"
        shape.where = "w"
        shape.class = shape
        shape.name = "lower"
        shape.Name = "upper"
        shape.nAME = 8
        shape.überschrift = "ü"
        let context = try saved(shape)
        let read = try only(KeywordShape.self, in: context)
        #expect(read.order == 1 && read.group == "g" && read.index == 2 && read.key == "k" && read.value == 1.5)
        #expect(read.select == "s" && read.from == shape.from && read.table == "t" && read.limit == 3 && read.primary)
        #expect(read.transaction == "tx" && read.rowid == 4 && read.pk == 5 && read.default == 6)
        #expect(read.in == "i" && read.where == "w" && read.class === read)
        #expect(read.name == "lower" && read.Name == "upper" && read.nAME == 8 && read.überschrift == "ü")
        let found = FetchDescriptor<KeywordShape>(
            predicate: #Predicate { $0.order == 1 && $0.group == "g" && $0.where == "w" && $0.Name == "upper" },
            sortBy: [SortDescriptor(\.index), SortDescriptor(\.group), SortDescriptor(\.default)])
        #expect(try context.fetch(found) == [read])
        let other = FetchDescriptor<KeywordShape>(predicate: #Predicate { $0.name == "upper" })
        #expect(try context.fetchCount(other) == 0)
    }

    @Test("A class may have sixty properties")
    func wide() throws {
        let shape = WideShape()
        shape.p01 = "first"
        shape.p04 = 4
        shape.p30 = 30.5
        shape.p60 = 60
        let context = try saved(shape)
        let read = try only(WideShape.self, in: context)
        #expect(read.p01 == "first" && read.p04 == 4 && read.p30 == 30.5 && read.p60 == 60)
        #expect(read.p02 == nil && read.p59 == nil)
        #expect(Schema(WideShape.self).entities.first?.storedProperties.count == 60)
    }

    @Test("Public, package, open and private classes, and a public subclass of an open one are stored")
    func visibility() throws {
        let hidden = try saved(PrivateShape(name: "private"))
        #expect(try only(PrivateShape.self, in: hidden).name == "private")
        let package = try saved(PackageShape(name: "package"))
        #expect(try only(PackageShape.self, in: package).name == "package")
        let container = try ModelContainer(for: OpenShape.self, OpenChild.self, configurations: memory())
        let context = ModelContext(container)
        context.insert(OpenShape(name: "open"))
        context.insert(OpenChild(name: "child", level: 3))
        try context.save()
        let other = ModelContext(container)
        #expect(try other.fetch(FetchDescriptor<OpenShape>()).map(\.name) == ["open", "child"])
        #expect(try only(OpenChild.self, in: other).level == 3)
    }

    @Test("A class may have an availability, or conditions inside")
    func conditions() throws {
        let available = AvailableShape()
        available.name = "available"
        let first = try saved(available)
        #expect(try only(AvailableShape.self, in: first).name == "available")
        let conditional = ConditionalShape()
        conditional.always = 3
        conditional.here = "there"
        conditional.code = 9
        conditional.draft = "draft"
        let second = try saved(conditional)
        let read = try only(ConditionalShape.self, in: second)
        #expect(read.always == 3 && read.here == "there" && read.code == 9 && read.describe() == "3 ")
        let entity = Schema(ConditionalShape.self).entities.first
        #expect(entity?.storedProperties.map(\.name) == ["always", "here", "code"])
        #expect(entity?.uniquenessConstraints == [["code"]])
    }

    @Test("Models may be in a namespace made by extensions")
    func namespaces() throws {
        let leaf = Namespace.Leaf(name: "leaf")
        leaf.twig = Namespace.Inner.Twig()
        let context = try saved(leaf)
        let read = try only(Namespace.Leaf.self, in: context)
        #expect(read.twig?.leaves == [read])
        #expect(read.persistentModelID.entityName == "Leaf")
    }

    @Test("Two versions of a class with one name can be used in one process, each in its container")
    func versions() throws {
        let first = try ModelContainer(for: Schema(versionedSchema: ShapesV1.self), configurations: memory())
        let second = try ModelContainer(for: Schema(versionedSchema: ShapesV2.self), configurations: memory())
        let old = ModelContext(first)
        let new = ModelContext(second)
        old.insert(ShapesV1.Item(name: "old"))
        new.insert(ShapesV2.Item(title: "new", parts: [ShapesV2.Item(title: "part")]))
        try old.save()
        try new.save()
        #expect(try ModelContext(first).fetch(FetchDescriptor<ShapesV1.Item>()).map(\.name) == ["old"])
        let reader = ModelContext(second)
        let items = try reader.fetch(FetchDescriptor<ShapesV2.Item>(sortBy: [SortDescriptor(\.title)]))
        #expect(items.map(\.title) == ["new", "part"])
        #expect(items.first?.parts.map(\.title) == ["part"])
        #expect(Schema.entityName(for: ShapesV1.Item.self) == Schema.entityName(for: ShapesV2.Item.self))
    }

    @Test("A class may have an id of its own, a description, an order and a protocol")
    func conformances() throws {
        let shapes = ["b", "a"].map { ConformingShape(name: $0) }
        let container = try ModelContainer(for: ConformingShape.self, configurations: memory())
        let context = ModelContext(container)
        shapes.forEach(context.insert)
        try context.save()
        let other = ModelContext(container)
        let read = try other.fetch(FetchDescriptor<ConformingShape>()).sorted()
        #expect(read.map(\.name) == ["a", "b"])
        #expect(read.map(\.id) == shapes.sorted().map(\.id))
        #expect(read.first?.description == "shape a" && "\(read[1])" == "shape b")
        #expect(read.first?.greeting == "Hello a")
        let wanted = shapes[0].id
        let byID = FetchDescriptor<ConformingShape>(predicate: #Predicate { $0.id == wanted })
        #expect(try other.fetch(byID).map(\.name) == ["b"])
        var named: any Named = read[0]
        named.name = "c"
        #expect(other.changedModelsArray.count == 1)
    }

    @Test("A Codable model class as the type of another model's property is still a relationship")
    func codable() throws {
        let json = #"{"name":"root","children":[{"name":"a","children":[]},{"name":"b","children":[]}]}"#
        let root = try JSONDecoder().decode(CodedShape.self, from: Data(json.utf8))
        #expect(root.children.allSatisfy { $0.parent === root })
        let container = try ModelContainer(for: CodedShape.self, configurations: memory())
        let context = ModelContext(container)
        context.insert(root)
        try context.save()
        let other = ModelContext(container)
        #expect(try other.fetchCount(FetchDescriptor<CodedShape>()) == 3)
        let read = try #require(
            try other.fetch(FetchDescriptor<CodedShape>(predicate: #Predicate { $0.parent == nil })).first)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(read), as: UTF8.self)
        #expect(
            text == #"{"children":[{"children":[],"name":"a"},{"children":[],"name":"b"}],"name":"root"}"#)
    }

    @Test("A class may define its own equality")
    func equality() throws {
        let context = try saved(EqualShape(name: "a"), EqualShape(name: "a"), EqualShape(name: "b"))
        let all = try context.fetch(FetchDescriptor<EqualShape>())
        #expect(all.count == 3)
        #expect(Set(all).count == 2)
    }

    @Test("Convenience, failable and throwing initializers work; if one fails, no model is left")
    func initializers() throws {
        let container = try ModelContainer(for: InitializerShape.self, configurations: memory())
        let context = ModelContext(container)
        let base = InitializerShape()
        context.insert(base)
        let number = try #require(InitializerShape(text: "5", partner: base))
        #expect(number.modelContext === context)
        #expect(InitializerShape(text: "x") == nil)
        #expect(InitializerShape(text: "-1") == nil)
        #expect(InitializerShape(maybe: nil) == nil)
        #expect(throws: InitializerShape.Refusal.self) { try InitializerShape(checking: "") }
        context.insert(try InitializerShape(checking: "four", partner: base))
        if let maybe = InitializerShape(maybe: "maybe") { context.insert(maybe) }
        context.insert(InitializerShape.make())
        try context.save()
        let other = ModelContext(container)
        let all = try other.fetch(FetchDescriptor<InitializerShape>(sortBy: [SortDescriptor(\.name)]))
        #expect(all.map(\.name) == ["5", "convenient", "four", "made", "maybe"])
        #expect(all.map(\.size) == [5, 1, 4, 3, 2])
        #expect(all[1].partners.map(\.name).sorted() == ["5", "four"])
    }

    @Test("An initializer that fails after it linked leaves its partner unchanged")
    func failingInitializers() throws {
        let container = try ModelContainer(for: InitializerShape.self, configurations: memory())
        let context = ModelContext(container)
        let base = InitializerShape()
        context.insert(base)
        #expect(InitializerShape(text: "-1", partner: base) == nil)
        #expect(throws: InitializerShape.Refusal.self) { try InitializerShape(checking: "", partner: base) }
        #expect(base.partners.isEmpty)
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<InitializerShape>()) == 1)
    }

    @Test("Relationships within one class can have an inverse, be one-way, optional arrays, nil and empty")
    func selfRelationships() throws {
        let root = TreeShape(name: "root", children: [TreeShape(name: "a"), TreeShape(name: "b", children: nil)])
        let children = try #require(root.children)
        #expect(children.allSatisfy { $0.parent === root })
        root.link = children[0]
        root.related = children
        root.twin = children[1]
        let context = try saved(root)
        let found = FetchDescriptor<TreeShape>(predicate: #Predicate { $0.name == "root" })
        let read = try #require(try context.fetch(found).first)
        #expect(read.children?.map(\.name) == ["a", "b"])
        #expect(read.link?.name == "a" && read.twin?.name == "b" && read.parent == nil)
        #expect(read.related?.map(\.name) == ["a", "b"])
        #expect(read.link?.link == nil && read.link?.related?.isEmpty != false)
        context.delete(read)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<TreeShape>()) == 0)
    }

    @Test("#Unique with several lists: each list by itself makes an insertion an update")
    func uniqueLists() throws {
        let schema = Schema(UniqueShape.self)
        let entity = try #require(schema.entity(for: UniqueShape.self))
        #expect(entity.uniquenessConstraints == [["code"], ["first", "last"], ["owner", "place"]])
        #expect(entity.indices == [["first"], ["last", "first"]])
        let container = try ModelContainer(for: schema, configurations: memory())
        let context = ModelContext(container)
        let owner = TreeShape(name: "owner")
        func insert(_ code: Int, _ first: String, _ last: String, _ note: String, place: Int, owned: Bool) throws {
            let shape = UniqueShape(code: code, first: first, last: last, note: note)
            shape.place = place
            if owned { shape.owner = owner }
            context.insert(shape)
            try context.save()
        }
        try insert(1, "Ann", "Lee", "first", place: 1, owned: true)
        try insert(2, "Bob", "Lee", "second", place: 2, owned: true)
        try insert(1, "Cid", "Lee", "by code", place: 3, owned: true)
        try insert(3, "Bob", "Lee", "by names", place: 4, owned: true)
        try insert(4, "Dee", "Lee", "by owner", place: 4, owned: true)
        let read = try ModelContext(container).fetch(FetchDescriptor<UniqueShape>(sortBy: [SortDescriptor(\.code)]))
        #expect(read.map(\.note) == ["by code", "by owner"])
        #expect(read.map(\.first) == ["Cid", "Dee"])
    }

    @Test("A hash modifier makes another version of a model, an original name does not change the name")
    func modifiers() throws {
        let entity = try #require(Schema(Bookshop.Author.self).entity(for: Bookshop.Author.self))
        #expect(entity.attributesByName["name"]?.originalName == "label")
        #expect(entity.attributesByName["rank"]?.hashModifier == "v2")
        #expect(entity.relationshipsByName["books"]?.originalName == "texts")
        #expect(entity.relationshipsByName["books"]?.hashModifier == "v3")
        #expect(entity.relationshipsByName["motto"]?.inverseName == nil)
    }
}
