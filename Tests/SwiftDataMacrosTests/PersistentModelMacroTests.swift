import Testing

@testable import SwiftDataMacros

/// The additions of `@Model` in and around the class.
@Suite struct PersistentModelMacroTests {
    /// The expansion has lines of more than 120 columns, and so has its expected text.
    @Test("a final class gets storage, metadata, the store's initializer and three conformances")
    func finalClass() {
        expectExpansion(
            of: """
                @Model
                final class Animal {
                    var name: String
                    init(name: String) {
                        self.name = name
                    }
                }
                """,
            is: """
                final class Animal {
                    @_PersistedProperty
                    var name: String
                    @_ModelInitializer
                    init(name: String) {
                        self.name = name
                    }

                    private static let _$class = SwiftData._ModelClass(Animal.self)

                    @exclusivity(unchecked)
                    private var _$storage: SwiftData._ModelStorage = SwiftData._ModelStorage(for: Animal._$class)

                    private nonisolated struct _$Slots: Sendable {
                        let _name = SwiftData._ModelSlot("name", in: Animal.self)
                    }

                    private static let _$slots = _$Slots()

                    final var _$modelStorage: SwiftData._ModelStorage { _$storage }

                    final var persistentBackingData: any SwiftData.BackingData<Animal> {
                        get { _$storage.backingData(for: Animal.self) }
                        set {
                            _$storage = SwiftData._ModelStorage(newValue)
                        }
                    }

                    static var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
                        var _$metadata: [SwiftData.Schema.PropertyMetadata] = []
                        _$metadata.append(SwiftData.Schema.PropertyMetadata(name: "name", keypath: \\Animal.name, defaultValue: nil, metadata: nil))
                        return _$metadata
                    }

                    init(backingData: any SwiftData.BackingData<Animal>) {
                        _name = SwiftData._NoStorage()
                        _$storage = SwiftData._ModelStorage(backingData)
                    }

                    internal nonisolated func access<_M>(keyPath: KeyPath<Animal, _M>) {
                        _$storage.borrowed.access(self, keyPath)
                    }

                    internal nonisolated func withMutation<_M, _MR>(
                        keyPath: KeyPath<Animal, _M>, _ mutation: () throws -> _MR
                    ) rethrows -> _MR {
                        try _$storage.withMutation(self, keyPath, mutation)
                    }
                }

                extension Animal: nonisolated Observation.Observable {}

                extension Animal: nonisolated SwiftData.PersistentModel {}

                @available(*, unavailable, message: "a model belongs to its context: hand over its persistentModelID, or work inside a ModelActor")
                extension Animal: Sendable {}
                """,
            Macros.model)
    }

    @Test("properties have slots where they are compiled; constants have none, nor has a class without properties")
    func slots() {
        let text = expansion(
            of: """
                @Model final class A {
                    var a = 0
                    let kind = "a"
                    #if EXTRA
                    @_PersistedProperty var extra = 1
                    #endif
                    var `class`: Int?
                }
                """, Macros.model)
        #expect(
            text.contains(
                """
                private nonisolated struct _$Slots: Sendable {
                let _a = SwiftData._ModelSlot("a", in: A.self)
                #if EXTRA
                let _extra = SwiftData._ModelSlot("extra", in: A.self)
                #endif
                let _class = SwiftData._ModelSlot("class", in: A.self)
                }
                """))
        #expect(!expansion(of: "@Model final class A {\n init() {}\n}", Macros.model).contains("_$slots"))
    }

    @Test("a constant set by initializers is read in the store's initializer, in a subclass before super.init")
    func constants() {
        let members = """
                let id: UUID
                #if EXTRA
                @Attribute(.unique) private let `class`: String?
                #endif
                @Attribute(.transformable(by: "T")) let coded: Blob
                @Attribute(.codable) let place: Blob
                let kind = "a"
                init(id: UUID) { self.id = id }
            """
        let text = expansion(of: "@Model final class A {\n\(members)\n}", Macros.model)
        #expect(
            text.contains(
                """
                _$storage = SwiftData._ModelStorage(backingData)
                self.id = _$storage.borrowed.get(A._$slots._id)
                #if EXTRA
                self.`class` = _$storage.borrowed.get(A._$slots._class)
                #endif
                self.coded = _$storage.borrowed.getTransformable(A._$slots._coded)
                self.place = _$storage.borrowed.getCodable(A._$slots._place)
                }
                """))
        #expect(text.contains(#"let _id = SwiftData._ModelSlot("id", in: A.self)"#))
        #expect(text.contains("@_ModelInitializer\ninit(id: UUID)"))
        #expect(!text.contains("PersistedProperty"))
        let below = expansion(of: "@Model final class A: B {\n\(members)\n}", Macros.submodel)
        #expect(
            below.contains(
                "_$storage.borrowed.getCodable(A._$slots._place)\nsuper.init(backingData: backingData)\n}"))
    }

    @Test("an inheritable class shares its storage and requires the store's initializer")
    func openRoot() {
        let text = expansion(of: "@Model open class Trip {\n var days = 1\n public init() {}\n}", Macros.model)
        #expect(text.contains("open func _$share(_ storage: SwiftData._ModelStorage) {}"))
        #expect(text.contains("open class var schemaMetadata:"))
        #expect(text.contains("public required init(backingData: any SwiftData.BackingData<Trip>) {"))
        #expect(text.contains("_$storage = SwiftData._ModelStorage(backingData)\n_$share(_$storage)\n}"))
        #expect(text.contains("_$storage = SwiftData._ModelStorage(newValue)\n_$share(_$storage)\n}"))
    }

    @Test("a subclass describes its own properties and joins the storage of its root")
    func subclass() {
        let text = expansion(
            of: """
                @Model public class BusinessTrip: Trip {
                    var perDiem: Int
                    init(perDiem: Int) { self.perDiem = perDiem; super.init() }
                }
                """, Macros.submodel)
        let share = "public override func _$share(_ storage: SwiftData._ModelStorage) {\nsuper._$share(storage)"
        #expect(text.contains(share))
        #expect(text.contains("public override class var schemaMetadata:"))
        #expect(text.contains("public required init(backingData: any SwiftData.BackingData<Root>) {"))
        #expect(text.contains("super.init(backingData: backingData)"))
        #expect(!text.contains("persistentBackingData"))
        #expect(!text.contains("extension"))
    }

    @Test("a subclass without initializers inherits its superclass's")
    func subclassWithoutInitializers() {
        let text = expansion(of: "@Model class Walk: Trip {\n var steps = 0\n}", Macros.submodel)
        #expect(!text.contains("init("))
    }

    @Test("a class that declares PersistentModel is a root even if the compiler requests no conformance")
    func spelledConformance() {
        let text = expansion(of: "@Model final class A: PersistentModel {\n var a = 0\n}", Macros.submodel)
        #expect(text.contains("persistentBackingData"))
        #expect(!text.contains("override"))
    }

    @Test("a root whose properties all have defaults gets an initializer without arguments")
    func plainInitializer() {
        let text = expansion(of: "@Model final class A {\n var a = 0\n var b: Int?\n}", Macros.model)
        #expect(text.contains("init() { _$storage.borrowed.adopt(self) }"))
        let spelled = expansion(of: "@Model final class A {\n var a = 0\n init(a: Int) {}\n}", Macros.model)
        #expect(!spelled.contains("adopted(by:"))
    }

    @Test("a handwritten store's initializer is not generated")
    func writtenBackingDataInitializer() {
        let text = expansion(
            of: "@Model final class A {\n var a = 0\n init(backingData: any BackingData<A>) { a = 1 }\n}", Macros.model)
        #expect(!text.contains("SwiftData.BackingData<A>) {\n_a"))
        #expect(!text.contains("@_ModelInitializer"))
    }

    @Test("members that the protocol requires have the access level of the class", arguments: ["public", "package"])
    func access(level: String) {
        let text = expansion(of: "@Model \(level) final class A {\n var a = 0\n}", Macros.model)
        #expect(text.contains("\n\(level) final var _$modelStorage:"))
        #expect(text.contains("\n\(level) final var persistentBackingData:"))
        #expect(text.contains("\n\(level) static var schemaMetadata:"))
        #expect(text.contains("\n\(level) init(backingData:"))
        #expect(text.contains("\nprivate var _$storage:"))
    }

    @Test("only persisted variables get accessors")
    func accessors() {
        let text = expansion(
            of: """
                @Model final class A {
                    var kept = 0
                    @Attribute(.transformable(by: "T")) var coded: Blob
                    @Transient var cache = 0
                    let kind = "a"
                    static let shared = 1
                    lazy var late = 2
                    var computed: Int { 3 }
                    var both: Int { get { 4 } set {} }
                    var watched = 5 { didSet {} }
                    @_PersistedProperty var marked = 6
                    init() {}
                    convenience init(x: Int) { self.init() }
                }
                """, Macros.model)
        #expect(text.contains("@_PersistedProperty\nvar kept"))
        #expect(text.contains("@_TransformablePersistedProperty") && text.contains("var coded"))
        #expect(text.contains("@_PersistedProperty\nvar watched"))
        #expect(text.components(of: "PersistedProperty") == 4)
        #expect(text.components(of: "@_ModelInitializer") == 1)
    }
}

extension String {
    /// The number of occurrences of a text.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
