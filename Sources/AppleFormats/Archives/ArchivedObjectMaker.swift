import Foundation

/// Makes the objects of one archive, contained objects first.
struct ArchivedObjectMaker {
    private let archive: KeyedArchive
    /// Finished objects by reference.
    private var made: [UInt64: Made] = [:]
    private var underWay: Set<UInt64> = []

    private struct Made {
        let object: NSObject
        /// The number of objects, with shared ones counted once per reference: the cost of comparing the object.
        var count = 1
    }

    private static let countLimit = 1 << 20

    init(_ archive: KeyedArchive) { self.archive = archive }

    mutating func root() throws(ColumnArchiveError) -> NSObject {
        try object(archive.rootReference, depth: 0).object
    }

    private mutating func object(_ reference: PropertyList?, depth: Int) throws(ColumnArchiveError) -> Made {
        guard case .uid(let number)? = reference else { throw .damaged(className: "reference") }
        if let known = made[number] { return known }
        guard depth < ColumnArchive.depthLimit else { throw .tooDeep }
        guard let content = archive.resolve(reference), content != KeyedArchive.nothing else {
            throw .damaged(className: "reference")
        }
        guard underWay.insert(number).inserted else { throw .circular }
        defer { underWay.remove(number) }
        let found = try object(of: content, depth: depth)
        made[number] = found
        return found
    }

    private mutating func object(of content: PropertyList, depth: Int) throws(ColumnArchiveError) -> Made {
        if let plain = Self.plain(content) { return Made(object: plain) }
        guard let archived = archive.object(content) else { throw .damaged(className: "object") }
        // References in any field count.
        let count = try objects(archived.references, depth).count
        return Made(object: try object(of: archived, depth), count: count)
    }

    private mutating func object(of archived: ArchivedObject, _ depth: Int) throws(ColumnArchiveError) -> NSObject {
        switch archived.className {
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet":
            return try collection(archived, depth)
        case "NSDictionary", "NSMutableDictionary": return try dictionary(archived, depth)
        case "NSURL": return try address(archived, depth)
        default:
            if let single = ArchivedSingle(archived) {
                guard let object = single.object else { throw .damaged(className: archived.className) }
                return object
            }
            throw .otherClass(archived.className)
        }
    }

    /// A value that an archive contains directly, without a reference.
    private static func plain(_ content: PropertyList) -> NSObject? {
        switch content {
        case .string(let text): NSString(string: text)
        case .boolean(let flag): NSNumber(value: flag)
        case .integer(let number): NSNumber(value: number)
        case .unsigned(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
        case .data(let data): NSData(data: data)
        case .null, .uid, .array, .set, .dictionary: nil
        }
    }

    // MARK: Collections

    private mutating func collection(_ archived: ArchivedObject, _ depth: Int) throws(ColumnArchiveError) -> NSObject {
        guard let members = archived.members else { throw .damaged(className: archived.className) }
        let objects = try objects(members, depth).objects
        let isArray = archived.className.hasSuffix("Array")
        guard isArray || objects.allSatisfy(\.isHashableInSwift) else { throw .damaged(className: archived.className) }
        return switch archived.className {
        case "NSArray": NSArray(array: objects)
        case "NSMutableArray": NSMutableArray(array: objects)
        case "NSSet": NSSet(array: objects)
        case "NSMutableSet": NSMutableSet(array: objects)
        case "NSOrderedSet": NSOrderedSet(array: objects)
        default: NSMutableOrderedSet(array: objects)
        }
    }

    private mutating func dictionary(_ archived: ArchivedObject, _ depth: Int) throws(ColumnArchiveError) -> NSObject {
        guard let keys = archived.fields["NS.keys"]?.arrayValue, let values = archived.fields["NS.objects"]?.arrayValue,
            keys.count == values.count
        else { throw .damaged(className: archived.className) }
        let keyObjects = try objects(keys, depth).objects
        guard keyObjects.allSatisfy(\.isHashableInSwift) else { throw .damaged(className: archived.className) }
        let objects = try objects(values, depth).objects
        return archived.className == "NSMutableDictionary"
            ? NSMutableDictionary(objects: objects, forKeys: keyObjects)
            : NSDictionary(objects: objects, forKeys: keyObjects)
    }

    /// A URL, which may be relative to another URL.
    private mutating func address(_ archived: ArchivedObject, _ depth: Int) throws(ColumnArchiveError) -> NSObject {
        var base: URL?
        if let reference = archived.fields["NS.base"], reference != .uid(0) {
            guard let whole = try object(reference, depth: depth + 1).object as? NSURL else {
                throw .damaged(className: archived.className)
            }
            base = URL(string: whole.absoluteString)
        }
        // It must be a valid `URL`, too: bridging the object to Swift would trap otherwise.
        guard let text = archived.value("NS.relative")?.stringValue, let url = NSURL(string: text, relativeTo: base),
            URL(string: url.relativeString, relativeTo: base) != nil, URL(string: url.absoluteString) != nil
        else { throw .damaged(className: archived.className) }
        return url
    }

    private mutating func objects(
        _ references: [PropertyList], _ depth: Int
    ) throws(ColumnArchiveError) -> (objects: [NSObject], count: Int) {
        var objects: [NSObject] = []
        var count = 1
        for reference in references {
            let element = try object(reference, depth: depth + 1)
            objects.append(element.object)
            count += element.count
            guard count <= Self.countLimit else { throw .tooLarge }
        }
        return (objects, count)
    }
}

/// An object of a class that contains no others.
private struct ArchivedSingle {
    /// `nil` for an object that cannot be made.
    let object: NSObject?

    /// `nil` for other classes.
    init?(_ archived: ArchivedObject) {
        switch archived.className {
        case "NSNull": object = NSNull()
        case "NSString": object = archived.text.map { NSString(string: $0) }
        case "NSMutableString": object = archived.text.map { NSMutableString(string: $0) }
        case "NSData": object = archived.bytes.map { NSData(data: $0) }
        case "NSMutableData": object = archived.bytes.map { NSMutableData(data: $0) }
        case "NSDate": object = archived.real("NS.time").map { NSDate(timeIntervalSinceReferenceDate: $0) }
        case "NSUUID":
            object = archived.value("NS.uuidbytes")?.dataValue.flatMap { UUID(rawBytes: $0) }.map { NSUUID($0) }
        case "NSNumber": object = archived.number
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder":
            object = ArchivedDefault.decimal(archived).map { NSDecimalNumber(decimal: $0) }
        default: return nil
        }
    }
}

extension ArchivedObject {
    /// References in fields, and in lists there; archivers make no nested lists.
    fileprivate var references: [PropertyList] {
        var references: [PropertyList] = []
        for (key, value) in fields where key != "$class" {
            references += (value.arrayValue ?? [value]).filter { $0.isReference && $0 != .uid(0) }
        }
        return references
    }

    /// References to the members of a collection: in a list, or each under a key of its own.
    fileprivate var members: [PropertyList]? {
        if let list = fields["NS.objects"] { return list.arrayValue }
        var members: [PropertyList] = []
        while let next = fields["NS.object.\(members.count)"] { members.append(next) }
        return members.isEmpty && className.hasSuffix("Array") ? nil : members
    }

    fileprivate var text: String? {
        if let text = value("NS.string") { return text.stringValue }
        return value("NS.bytes")?.dataValue.flatMap { String(data: $0, encoding: .utf8) }
    }

    fileprivate var bytes: Data? { (value("NS.data") ?? value("NS.bytes"))?.dataValue }

    fileprivate var number: NSNumber? {
        if let flag = integer("NS.boolval") { return NSNumber(value: flag != 0) }
        if let number = integer("NS.intval") { return NSNumber(value: number) }
        return real("NS.dblval").map { NSNumber(value: $0) }
    }

    fileprivate func real(_ key: String) -> Double? {
        if case .real(let number)? = value(key) { return number }
        return integer(key).map(Double.init)
    }
}

extension NSObject {
    /// Whether bridging a set or dictionary with this member or key to Swift is safe: Foundation traps on some members.
    fileprivate var isHashableInSwift: Bool { !(self is NSArray || self is NSDictionary) }
}

extension PropertyList {
    fileprivate var isReference: Bool {
        if case .uid = self { true } else { false }
    }
}

extension NSUUID {
    fileprivate convenience init(_ uuid: UUID) {
        var bytes = uuid.uuid
        self.init(uuidBytes: withUnsafeBytes(of: &bytes) { Array($0.bindMemory(to: UInt8.self)) })
    }
}
