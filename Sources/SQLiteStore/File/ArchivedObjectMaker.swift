import Foundation

/// Makes the objects of one archive, those inside first.
struct ArchivedObjectMaker {
    /// What becomes of objects of classes that are not made here.
    enum Others {
        case refused
        /// What they refer to is looked at; an empty object stands for them.
        case passedOver
    }

    private let archive: KeyedArchive
    private let others: Others
    /// By reference.
    private var made: [UInt64: Made] = [:]
    private var underWay: Set<UInt64> = []

    private struct Made {
        let object: NSObject
        /// How many objects it is when what is shared is counted each time: what comparing it costs.
        var count = 1
    }

    private static let countLimit = 1 << 20

    init(_ archive: KeyedArchive, others: Others) {
        self.archive = archive
        self.others = others
    }

    mutating func root() throws(ColumnArchiveError) -> NSObject {
        try object(archive.rootReference, depth: 0).object
    }

    private mutating func object(_ reference: PropertyList?, depth: Int) throws(ColumnArchiveError) -> Made {
        guard case .uid(let number)? = reference else { throw .damaged(className: "reference") }
        if let known = made[number] { return known }
        guard depth < ColumnArchive.depthLimit else { throw .tooDeep }
        guard let content = archive.resolve(reference) else { throw .damaged(className: "reference") }
        guard underWay.insert(number).inserted else { throw .circular }
        defer { underWay.remove(number) }
        let found = try object(of: content, depth: depth)
        guard found.count <= Self.countLimit else { throw .tooLarge }
        made[number] = found
        return found
    }

    private mutating func object(of content: PropertyList, depth: Int) throws(ColumnArchiveError) -> Made {
        if let plain = Self.plain(content) { return Made(object: plain) }
        guard let archived = archive.object(content) else { throw .damaged(className: "object") }
        switch archived.className {
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet":
            return try collection(archived, depth)
        case "NSDictionary", "NSMutableDictionary": return try dictionary(archived, depth)
        default:
            if let single = ArchivedSingle(archived) {
                guard let object = single.object else { throw .damaged(className: archived.className) }
                return Made(object: object)
            }
            guard others == .passedOver else { throw .otherClass(archived.className) }
            return try passedOver(archived, depth)
        }
    }

    /// What stands in an archive as itself.
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

    private mutating func collection(_ archived: ArchivedObject, _ depth: Int) throws(ColumnArchiveError) -> Made {
        guard let references = archived.references else { throw .damaged(className: archived.className) }
        let (objects, count) = try objects(references, depth)
        let object: NSObject =
            switch archived.className {
            case "NSArray": NSArray(array: objects)
            case "NSMutableArray": NSMutableArray(array: objects)
            case "NSSet": NSSet(array: objects)
            case "NSMutableSet": NSMutableSet(array: objects)
            case "NSOrderedSet": NSOrderedSet(array: objects)
            default: NSMutableOrderedSet(array: objects)
            }
        return Made(object: object, count: count)
    }

    private mutating func dictionary(_ archived: ArchivedObject, _ depth: Int) throws(ColumnArchiveError) -> Made {
        guard let keys = archived.fields["NS.keys"]?.arrayValue, let values = archived.fields["NS.objects"]?.arrayValue,
            keys.count == values.count
        else { throw .damaged(className: archived.className) }
        let (keyObjects, keyCount) = try objects(keys, depth)
        let (objects, count) = try objects(values, depth)
        let isMutable = archived.className == "NSMutableDictionary"
        return Made(
            object: isMutable
                ? NSMutableDictionary(objects: objects, forKeys: keyObjects)
                : NSDictionary(objects: objects, forKeys: keyObjects),
            count: keyCount + count)
    }

    private mutating func objects(
        _ references: [PropertyList], _ depth: Int
    ) throws(ColumnArchiveError) -> ([NSObject], count: Int) {
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

    /// References of any field, and of lists in fields; lists in lists are none of an archiver's making.
    private mutating func passedOver(_ archived: ArchivedObject, _ depth: Int) throws(ColumnArchiveError) -> Made {
        guard archived.namesItsClasses else { throw .damaged(className: archived.className) }
        var references: [PropertyList] = []
        for (key, value) in archived.fields where key != "$class" {
            references += (value.arrayValue ?? [value]).filter { $0.isReference && $0 != .uid(0) }
        }
        return Made(object: NSNull(), count: try objects(references, depth).count)
    }
}

/// An object of a class that holds no others.
private struct ArchivedSingle {
    /// `nil` for one that cannot be made.
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
        case "NSURL": object = archived.address
        case "NSNumber": object = archived.number
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder":
            object = ArchivedDefault.decimal(archived).map { NSDecimalNumber(decimal: $0) }
        default: return nil
        }
    }
}

extension ArchivedObject {
    /// To the members of a collection: in a list, or each under a key of its own.
    fileprivate var references: [PropertyList]? {
        if let list = fields["NS.objects"] { return list.arrayValue }
        var references: [PropertyList] = []
        while let next = fields["NS.object.\(references.count)"] { references.append(next) }
        return references.isEmpty && className.hasSuffix("Array") ? nil : references
    }

    fileprivate var text: String? {
        string("NS.string") ?? value("NS.bytes")?.dataValue.flatMap { String(data: $0, encoding: .utf8) }
    }

    fileprivate var bytes: Data? { value("NS.data")?.dataValue ?? value("NS.bytes")?.dataValue }

    fileprivate var number: NSNumber? {
        if let flag = integer("NS.boolval") { return NSNumber(value: flag != 0) }
        if let number = integer("NS.intval") { return NSNumber(value: number) }
        return real("NS.dblval").map { NSNumber(value: $0) }
    }

    fileprivate func real(_ key: String) -> Double? {
        if case .real(let number)? = value(key) { return number }
        return integer(key).map(Double.init)
    }

    /// An address that is given as a part of another one is made whole.
    fileprivate var address: NSURL? {
        guard let text = string("NS.relative") else { return nil }
        let base = object("NS.base").flatMap { $0.className == "NSURL" ? $0.string("NS.relative") : nil }
        return NSURL(string: text, relativeTo: base.flatMap { URL(string: $0) })
    }

    /// Foundation goes from the class to those it derives from.
    fileprivate var namesItsClasses: Bool {
        let classes = value("$class")?.dictionaryValue?["$classes"]?.arrayValue ?? []
        return !classes.isEmpty && classes.allSatisfy { $0.stringValue != nil }
    }
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
