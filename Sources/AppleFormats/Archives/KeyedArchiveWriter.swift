import Foundation

/// Builds the property list of a keyed archive. Objects that refer to each other in cycles are reserved first and filled
/// in later. Texts, numbers and data are stored once each.
struct KeyedArchiveWriter {
    /// The first object is the null object.
    private var objects: [PropertyList] = [.string("$null")]
    private var scalars: [PropertyList: PropertyList] = [:]
    private var classes: [ArchivedClass: PropertyList] = [:]

    /// The reference to the null object.
    static let null = PropertyList.uid(0)

    /// The position of an object that is filled in later.
    struct Place {
        fileprivate let index: Int
        var reference: PropertyList { .uid(UInt64(index)) }
    }

    mutating func reserve() -> Place {
        objects.append(Self.null)
        return Place(index: objects.count - 1)
    }

    mutating func fill(_ place: Place, _ kind: ArchivedClass, _ fields: [String: PropertyList]) {
        var content = fields
        content["$class"] = reference(to: kind)
        objects[place.index] = .dictionary(content)
    }

    mutating func add(_ kind: ArchivedClass, _ fields: [String: PropertyList]) -> PropertyList {
        let place = reserve()
        fill(place, kind, fields)
        return place.reference
    }

    /// Adds a text, number, Boolean or data as an object.
    mutating func add(scalar value: PropertyList) -> PropertyList {
        if let known = scalars[value] { return known }
        objects.append(value)
        let reference = PropertyList.uid(UInt64(objects.count - 1))
        scalars[value] = reference
        return reference
    }

    /// Adds a text; returns the null object for `nil`.
    mutating func add(_ text: String?) -> PropertyList {
        text.map { add(scalar: .string($0)) } ?? Self.null
    }

    /// Adds an array or set.
    mutating func add(_ kind: ArchivedClass, of elements: [PropertyList]) -> PropertyList {
        add(kind, ["NS.objects": .array(elements)])
    }

    /// Adds a dictionary; the order of its entries is insignificant.
    mutating func add(_ kind: ArchivedClass, of entries: [(key: String, value: PropertyList)]) -> PropertyList {
        let keys = entries.map { add($0.key) }
        return add(kind, ["NS.keys": .array(keys), "NS.objects": .array(entries.map(\.value))])
    }

    private mutating func reference(to kind: ArchivedClass) -> PropertyList {
        if let known = classes[kind] { return known }
        let names = [kind.rawValue] + kind.ancestors + ["NSObject"]
        objects.append(
            .dictionary(["$classname": .string(kind.rawValue), "$classes": .array(names.map(PropertyList.string))]))
        let reference = PropertyList.uid(UInt64(objects.count - 1))
        classes[kind] = reference
        return reference
    }

    func finished(root: Place) -> PropertyList {
        .dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$objects": .array(objects),
            "$top": .dictionary(["root": root.reference]),
        ])
    }
}

/// The classes of archived objects.
enum ArchivedClass: String, CaseIterable {
    case managedObjectModel = "NSManagedObjectModel"
    case entity = "NSEntityDescription"
    case attribute = "NSAttributeDescription"
    case compositeAttribute = "NSCompositeAttributeDescription"
    case derivedAttribute = "NSDerivedAttributeDescription"
    case relationship = "NSRelationshipDescription"
    case fetchIndex = "NSFetchIndexDescription"
    case fetchIndexElement = "NSFetchIndexElementDescription"
    case array = "NSArray"
    case mutableArray = "NSMutableArray"
    case dictionary = "NSDictionary"
    case mutableDictionary = "NSMutableDictionary"
    case set = "NSSet"
    case knownKeysDictionary = "NSKnownKeysDictionary1"
    case knownKeysMapping = "NSKnownKeysMappingStrategy1"
    case uuid = "NSUUID"
    case date = "NSDate"
    case url = "NSURL"
    case selfExpression = "NSSelfExpression"
    case constantExpression = "NSConstantValueExpression"
    case keyPathSpecifier = "NSKeyPathSpecifierExpression"
    case keyPathExpression = "NSKeyPathExpression"
    case functionExpression = "NSFunctionExpression"

    /// The superclasses below `NSObject`, nearest first.
    var ancestors: [String] {
        switch self {
        case .attribute, .relationship: ["NSPropertyDescription"]
        case .compositeAttribute, .derivedAttribute: ["NSAttributeDescription", "NSPropertyDescription"]
        case .mutableArray: ["NSArray"]
        case .mutableDictionary: ["NSDictionary"]
        case .knownKeysDictionary: ["NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary"]
        case .knownKeysMapping: ["NSKnownKeysMappingStrategy"]
        case .selfExpression, .constantExpression, .keyPathSpecifier, .functionExpression: ["NSExpression"]
        case .keyPathExpression: ["NSFunctionExpression", "NSExpression"]
        case .managedObjectModel, .entity, .fetchIndex, .fetchIndexElement, .array, .dictionary, .set, .uuid, .date,
            .url:
            []
        }
    }
}
