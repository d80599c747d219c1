import ObjectGraph

/// The kind of value an attribute has, with the numbers that model files use.
public enum NSAttributeType: UInt, Sendable {
    /// Any value; for attributes that are not stored.
    case undefinedAttributeType = 0
    case integer16AttributeType = 100
    case integer32AttributeType = 200
    case integer64AttributeType = 300
    case decimalAttributeType = 400
    case doubleAttributeType = 500
    case floatAttributeType = 600
    case stringAttributeType = 700
    case booleanAttributeType = 800
    case dateAttributeType = 900
    case binaryDataAttributeType = 1000
    case UUIDAttributeType = 1100
    case URIAttributeType = 1200
    /// A value that a transformer, or a keyed archive, turns into data.
    case transformableAttributeType = 1800
    /// The identifier of an object; for results of fetches, never stored.
    case objectIDAttributeType = 2000
    /// Several named values, as a dictionary.
    case compositeAttributeType = 2100
}

extension NSAttributeType {
    init(_ type: ObjectGraph.AttributeType) {
        self = NSAttributeType(rawValue: UInt(type.rawValue)) ?? .undefinedAttributeType
    }

    /// `nil` for the types that are never stored.
    package var engineType: ObjectGraph.AttributeType? {
        ObjectGraph.AttributeType(rawValue: Int32(rawValue))
    }

    /// The class of the values, as model files name it.
    package var valueClassName: String? {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .booleanAttributeType:
            "NSNumber"
        case .decimalAttributeType: "NSDecimalNumber"
        case .stringAttributeType: "NSString"
        case .dateAttributeType: "NSDate"
        case .binaryDataAttributeType: "NSData"
        case .UUIDAttributeType: "NSUUID"
        case .URIAttributeType: "NSURL"
        case .compositeAttributeType: "NSDictionary"
        case .undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType: nil
        }
    }
}

extension NSAttributeDescription {
    /// The kind of value an attribute has, under short names.
    public struct AttributeType: RawRepresentable, Hashable, Sendable {
        public var rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        public init(_ type: NSAttributeType) {
            rawValue = type.rawValue
        }

        public static let undefined = AttributeType(.undefinedAttributeType)
        public static let integer16 = AttributeType(.integer16AttributeType)
        public static let integer32 = AttributeType(.integer32AttributeType)
        public static let integer64 = AttributeType(.integer64AttributeType)
        public static let decimal = AttributeType(.decimalAttributeType)
        public static let double = AttributeType(.doubleAttributeType)
        public static let float = AttributeType(.floatAttributeType)
        public static let string = AttributeType(.stringAttributeType)
        public static let boolean = AttributeType(.booleanAttributeType)
        public static let date = AttributeType(.dateAttributeType)
        public static let binaryData = AttributeType(.binaryDataAttributeType)
        public static let uuid = AttributeType(.UUIDAttributeType)
        public static let uri = AttributeType(.URIAttributeType)
        public static let transformable = AttributeType(.transformableAttributeType)
        public static let objectID = AttributeType(.objectIDAttributeType)
        public static let composite = AttributeType(.compositeAttributeType)

        /// Numbers that name no type count as undefined.
        var attributeType: NSAttributeType { NSAttributeType(rawValue: rawValue) ?? .undefinedAttributeType }
    }
}
