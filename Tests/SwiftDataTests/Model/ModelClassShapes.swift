import Foundation
import SwiftData

// Model classes: where they are declared, their access levels, conformances and initializers.

@Model package final class PackageShape {
    package var name: String
    package init(name: String) { self.name = name }
}

@Model open class OpenShape {
    open var name: String
    public init(name: String) { self.name = name }
}

@Model public class OpenChild: OpenShape {
    public var level: Int = 0

    public init(name: String, level: Int) {
        self.level = level
        super.init(name: name)
    }
}

@available(macOS 15, iOS 18, *)
@Model final class AvailableShape {
    var name: String = ""
    init() {}
}

@Model final class ConditionalShape {
    var always = 1
    #if canImport(Foundation)
    var here = "here"
    @Attribute(.unique) var code: Int = 0
    #else
    var elsewhere = 2
    #endif
    #if DEBUG || !DEBUG
    @Transient var draft = ""
    func describe() -> String { "\(always) \(draft)" }
    #endif
    init() {}
}

enum Namespace {
    enum Inner {}
}

extension Namespace {
    @Model final class Leaf {
        var name: String
        var twig: Inner.Twig?
        init(name: String) { self.name = name }
    }
}

extension Namespace.Inner {
    @Model final class Twig {
        @Relationship(inverse: \Namespace.Leaf.twig) var leaves: [Namespace.Leaf] = []
        init() {}
    }
}

enum ShapesV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Item.self] }

    @Model final class Item {
        var name: String
        init(name: String) { self.name = name }
    }
}

enum ShapesV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Item.self] }

    @Model final class Item {
        @Attribute(originalName: "name") var title: String
        var parts: [Item]
        init(title: String, parts: [Item] = []) {
            self.title = title
            self.parts = parts
        }
    }
}

// MARK: Conformances

protocol Named {
    var name: String { get set }
}

extension Named {
    var greeting: String { "Hello \(name)" }
}

@Model
final class ConformingShape: Identifiable, Named, CustomStringConvertible, Comparable {
    var id: UUID
    var name: String

    init(id: UUID = UUID(), name: String) {
        self.id = id
        self.name = name
    }

    var description: String { "shape \(name)" }

    static func < (lhs: ConformingShape, rhs: ConformingShape) -> Bool { lhs.name < rhs.name }
}

@Model
final class CodedShape: Codable {
    enum CodingKeys: CodingKey {
        case name, children
    }

    var name: String
    var parent: CodedShape?
    @Relationship(deleteRule: .cascade, inverse: \CodedShape.parent) var children: [CodedShape] = []

    init(name: String) { self.name = name }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        children = try container.decode([CodedShape].self, forKey: .children)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(children, forKey: .children)
    }
}

@Model
final class EqualShape: Equatable, Hashable {
    var name: String
    init(name: String) { self.name = name }

    static func == (lhs: EqualShape, rhs: EqualShape) -> Bool { lhs.name == rhs.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

// MARK: Initializers

@Model
final class InitializerShape {
    struct Refusal: Error {}

    var name: String
    var size: Int
    var partner: InitializerShape?
    @Relationship(inverse: \InitializerShape.partner) var partners: [InitializerShape] = []

    init(name: String, size: Int) {
        self.name = name
        self.size = size
    }

    init?(text: String, partner: InitializerShape? = nil) {
        guard let size = Int(text) else { return nil }
        self.name = text
        self.size = size
        self.partner = partner
        if size < 0 { return nil }
    }

    init(checking name: String, partner: InitializerShape? = nil) throws {
        self.name = name
        size = name.count
        self.partner = partner
        if name.isEmpty { throw Refusal() }
    }

    convenience init() { self.init(name: "convenient", size: 1) }

    convenience init?(maybe: String?) {
        guard let maybe else { return nil }
        self.init(name: maybe, size: 2)
    }

    static func make() -> InitializerShape { InitializerShape(name: "made", size: 3) }
}

// MARK: Relationships

@Model
final class TreeShape {
    var name: String
    var parent: TreeShape?
    @Relationship(deleteRule: .cascade, inverse: \TreeShape.parent) var children: [TreeShape]? = []
    @Relationship(deleteRule: .nullify, inverse: nil) var link: TreeShape?
    @Relationship(inverse: nil) var related: [TreeShape]? = nil
    var twin: TreeShape?

    init(name: String, children: [TreeShape]? = []) {
        self.name = name
        self.children = children
    }
}

@Model
final class UniqueShape {
    #Unique<UniqueShape>([\.code], [\.first, \.last], [\.owner, \.place])
    #Index<UniqueShape>([\.first], [\.last, \.first])
    var code: Int
    var first: String
    var last: String
    var place: Int = 0
    var note: String = ""
    var owner: TreeShape?

    init(code: Int, first: String, last: String, note: String) {
        self.code = code
        self.first = first
        self.last = last
        self.note = note
    }
}

// MARK: Conditions

@Model
class BuildShape {
    var name: String
    #if canImport(NoModuleOfThisName)
    var hasChanges = 0
    init(number: Int) { name = "\(number)" }
    #elseif canImport(Foundation)
    init(name: String) { self.name = name }
    #endif

    #if os(NoSystemOfThisName)
    init() {}
    #endif
}

@Model
final class BuildSubshape: BuildShape {
    var size = 1
    #if canImport(Foundation)
    init(size: Int) {
        self.size = size
        super.init(name: "sub")
    }
    #endif
}

@Model
final class BuildInheritingShape: BuildShape {
    var size = 2
    #if !canImport(Foundation)
    init(size: Int) {
        self.size = size
        super.init(name: "sub")
    }
    #endif
}

@Model
final class BuildPlainShape {
    var name = "plain"
    #if !canImport(Foundation)
    init(name: String) { self.name = name }
    #endif
}
