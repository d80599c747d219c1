import Testing

@testable import SwiftDataMacros

/// Accessors, hidden peers and observers of persisted properties.
@Suite struct PersistedPropertyMacroTests {
    @Test("a property reads and writes through its slot")
    func plain() {
        expectExpansion(
            of: """
                class A {
                    @_PersistedProperty
                    var name: String
                }
                """,
            is: """
                class A {
                    var name: String {
                    @storageRestrictions(accesses: _$storage, initializes: _name)
                    init(initialValue) {
                        _$storage.initialize(A._$slots._name, initialValue)
                        _name = SwiftData._NoStorage()
                    }
                    get {
                        let _$current = _$storage.borrowed
                        _$current.access(self, \\.name)
                        return _$current.get(A._$slots._name)
                    }
                    set {
                        _$storage.borrowed.set(A._$slots._name, newValue, of: self, \\.name)
                    }
                    }

                    private var _name: SwiftData._NoStorage
                }
                """,
            Macros.property)
    }

    @Test("a transformable property uses the transformable calls")
    func transformable() {
        let text = expansion(
            of: "class A {\n@_TransformablePersistedProperty var x: Blob\n}", Macros.transformable)
        #expect(text.contains("_$storage.initializeTransformable(A._$slots._x, initialValue)"))
        #expect(text.contains("return _$current.getTransformable(A._$slots._x)"))
        #expect(text.contains("_$storage.borrowed.setTransformable(A._$slots._x, newValue, of: self, \\.x)"))
    }

    @Test("a property with the option codable uses the codable calls, and no list is edited in place")
    func codable() {
        let text = expansion(
            of: "class A {\n@Attribute(.unique, .codable) @_PersistedProperty var x: [Blob]\n}", Macros.property)
        #expect(text.contains("_$storage.initializeCodable(A._$slots._x, initialValue)"))
        #expect(text.contains("return _$current.getCodable(A._$slots._x)"))
        #expect(text.contains("_$storage.borrowed.setCodable(A._$slots._x, newValue, of: self, \\.x)"))
        #expect(!text.contains("_modify"))
    }

    @Test(
        "an initializer may omit a property that has a default or is optional",
        arguments: [
            ("var x: Int", false), ("var x: Int?", true), ("var x: Optional<Int>", true), ("var x: Int!", true),
            ("var x = 1", true), ("var x: Int = 1", true),
        ])
    func placeholder(declaration: String, hasDefault: Bool) {
        let text = expansion(of: "class A {\n@_PersistedProperty \(declaration)\n}", Macros.property)
        #expect(text.contains("private var _x: SwiftData._NoStorage = SwiftData._NoStorage()") == hasDefault)
    }

    @Test(
        "a list of models is edited in place, unless observers must see it set",
        arguments: [
            ("var x: [Part]", true), ("var x: [Part]?", true), ("var x: [Part]! = []", true),
            ("var x = [Part]()", true), ("var x: [Zoo.Part] = []", true), ("var x: Part?", false),
            ("var x: [String]", false), ("var x = [Int]()", false), ("var x: [[Part]]", false),
            ("var x: [String: Part]", false), ("var x: [Part] { didSet { f() } }", false),
        ])
    func modify(declaration: String, isInPlace: Bool) {
        let text = expansion(of: "class A {\n@_PersistedProperty \(declaration)\n}", Macros.property)
        let expected = """
            _modify {
            let _$current = _$storage.borrowed
            _$current.access(self, \\.x)
            var _$edit = _$current.beginEdit(A._$slots._x, of: self, \\.x)
            defer {
            _$edit.end()
            }
            yield &_$edit.value
            }
            """
        #expect(text.contains("_modify") == isInPlace)
        let packed = text.replacing("defer { _$edit.end() }", with: "defer {\n_$edit.end()\n}")
        #expect(packed.contains(expected) == isInPlace, "\(text)")
    }

    @Test("the slot is named by the innermost class")
    func nested() {
        let text = expansion(
            of: "extension Outer {\nclass A {\nstruct S {}\n@_PersistedProperty var x: Int\n}\n}", Macros.property)
        #expect(text.contains("get(A._$slots._x)"))
    }

    /// Without a compiler an accessor macro does not know the position of the property, so no lines are mapped here.
    @Test("observers run around the storage call, with the names the author chose")
    func observers() {
        let text = expansion(
            of: """
                class A {
                    @_PersistedProperty var x: Int {
                        willSet(coming) { print(coming) }
                        didSet(gone) {
                            print(gone)
                        }
                    }
                }
                """, Macros.property)
        let expected = """
            defer { _$storage.endObserving(A._$slots._x) }
            let _$oldValue = self.x
            func _$willSet() {
            let coming = newValue
            print(coming)\u{20}
            }
            _$willSet()
            _$storage.borrowed.set(A._$slots._x, newValue, of: self, \\.x)
            func _$didSet() {
            let gone = _$oldValue
            print(gone)
            }
            _$didSet()
            """
        #expect(text.contains(expected), "\(text)")
        #expect(text.contains("guard _$storage.beginObserving(A._$slots._x) else {"))
    }

    @Test("the old value is read only for an observer that uses it")
    func oldValue() {
        let text = expansion(
            of: "class A {\n@_PersistedProperty var x: Int { didSet { print(1) } }\n}", Macros.property)
        #expect(!text.contains("oldValue"))
    }
}
