import Foundation
import SwiftData

// Model classes in the shapes that programs write.

// MARK: Properties

@Model
final class InferredShape {
    var number = 1
    var ratio = 0.5
    var flag = true
    var text = "text"
    var list = [1, 2]
    var empty = [String]()
    var table = ["a": 1]
    var maybe = Optional(3)
    var kind = Kind.plain
    var day = Date(timeIntervalSinceReferenceDate: 0)
    var token = UUID()
    var others = [InferredShape]()

    enum Kind: String, Codable { case plain, fancy }

    init() {}
}

@Model
public final class AccessShape {
    public let stamp: UUID = UUID()
    let constant = 7
    public private(set) var count: Int = 0
    internal(set) public var label: String = ""
    fileprivate var hidden: String = "hidden"
    private var secret: String = "secret"
    @Attribute(.unique) public private(set) var code: String

    public init(code: String) { self.code = code }

    func bump() { count += 1 }
    func keep(_ text: String) { (hidden, secret) = (text, text) }
    var kept: [String] { [hidden, secret] }
}

@Model
final class MemberShape {
    static let kind = "member"
    static var made: Int { 1 }
    class var title: String { "Member" }
    var name: String = "" {
        willSet { events.append("will \(newValue)") }
        didSet { events.append("did \(oldValue)") }
    }
    var limited: Int = 0 {
        didSet { if limited > 10 { limited = 10 } }
    }
    @Transient var events: [String] = []
    @Transient lazy var shout: String = name.uppercased()
    @Transient var cache: [ObjectIdentifier: Int]?
    var doubled: Int { limited * 2 }
    var settable: Int {
        get { limited }
        set { limited = newValue }
    }
    subscript(index: Int) -> Character? { name.dropFirst(index).first }

    init() {}

    struct Nested: Codable, Equatable {
        var a = 1
        var b: [String] = []
    }
    var nested = Nested()
    var optionalNested: Nested?
}

struct Box<Content: Codable & Equatable>: Codable, Equatable {
    var content: Content
    var label: String?
}

@Model
final class GenericShape {
    var box: Box<Int> = Box(content: 1)
    var boxes: [Box<String>] = []
    var array: Array<String> = []
    var dictionary: Dictionary<String, [Int]> = [:]
    var optional: Optional<Int> = nil
    var range: ClosedRange<Int> = 0...1
    var forced: String!
    var pairs: [String: Box<Date>]? = nil
    var deep: [[Int]] = []

    init() {}
}

@Model
final class KeywordShape {
    var order: Int = 0
    var group: String = ""
    var index: Int = 0
    var key: String = ""
    var value: Double = 0
    var select: String = ""
    var from: Date?
    var table: String = ""
    var limit: Int?
    var primary: Bool = false
    var transaction: String = ""
    var rowid: Int = 0
    var pk: Int = 0
    var `default`: Int = 0
    var `in`: String = ""
    var `where`: String = ""
    var `class`: KeywordShape?
    var name: String = ""
    var Name: String = ""
    var nAME: Int = 0
    var überschrift: String = ""

    init() {}
}

@Model
final class WideShape {
    var p01: String = ""
    var p02: Double? = nil
    var p03: Date? = nil
    var p04: Int = 0
    var p05: String = ""
    var p06: Double? = nil
    var p07: Date? = nil
    var p08: Int = 0
    var p09: String = ""
    var p10: Double? = nil
    var p11: Date? = nil
    var p12: Int = 0
    var p13: String = ""
    var p14: Double? = nil
    var p15: Date? = nil
    var p16: Int = 0
    var p17: String = ""
    var p18: Double? = nil
    var p19: Date? = nil
    var p20: Int = 0
    var p21: String = ""
    var p22: Double? = nil
    var p23: Date? = nil
    var p24: Int = 0
    var p25: String = ""
    var p26: Double? = nil
    var p27: Date? = nil
    var p28: Int = 0
    var p29: String = ""
    var p30: Double? = nil
    var p31: Date? = nil
    var p32: Int = 0
    var p33: String = ""
    var p34: Double? = nil
    var p35: Date? = nil
    var p36: Int = 0
    var p37: String = ""
    var p38: Double? = nil
    var p39: Date? = nil
    var p40: Int = 0
    var p41: String = ""
    var p42: Double? = nil
    var p43: Date? = nil
    var p44: Int = 0
    var p45: String = ""
    var p46: Double? = nil
    var p47: Date? = nil
    var p48: Int = 0
    var p49: String = ""
    var p50: Double? = nil
    var p51: Date? = nil
    var p52: Int = 0
    var p53: String = ""
    var p54: Double? = nil
    var p55: Date? = nil
    var p56: Int = 0
    var p57: String = ""
    var p58: Double? = nil
    var p59: Date? = nil
    var p60: Int = 0

    init() {}
}

/// Names of members that every model has from its protocol, or that the library uses internally.
@Model
final class NamesShape {
    var isDeleted: Bool = false
    var hasChanges: Bool = false
    var modelContext: String = ""
    var persistentModelID: Int = 0
    var id: UUID = UUID()
    var hash: String = ""
    var debugDescription: String = ""
    var context: String = ""
    var entity: String = ""
    var record: String = ""
    var storage: String = ""
    var member: String = ""
    var access: String = ""
    var withMutation: String = ""
    var backingData: String = ""
    var initialValue: String = ""
    var newValue: String = ""
    var keyPath: String = ""
    var objectID: String = ""
    var deleted: Bool = false
    var updated: Bool = false
    var root: String = ""
    var `init`: String = ""
    var `subscript`: String = ""
    var type: String = ""
    var `is`: Bool = false
    var `case`: String = ""
    var `protocol`: String = ""
    var value: String = ""
    let `let`: String
    let `var`: Int?

    init(constant: String) {
        self.let = constant
        self.var = 1
    }
}
