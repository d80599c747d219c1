import ObjectGraph

/// The types of attribute values, with the numbers that model files use.
public enum NSAttributeType: UInt, Sendable {
    /// Any value; only for transient attributes.
    case undefinedAttributeType = 0
    /// Integers of 16 bits.
    case integer16AttributeType = 100
    /// Integers of 32 bits.
    case integer32AttributeType = 200
    /// Integers of 64 bits.
    case integer64AttributeType = 300
    /// Decimal numbers, which a file keeps with the precision of a double.
    case decimalAttributeType = 400
    /// Floating-point numbers of double precision.
    case doubleAttributeType = 500
    /// Floating-point numbers of single precision.
    case floatAttributeType = 600
    /// Texts.
    case stringAttributeType = 700
    /// Boolean values.
    case booleanAttributeType = 800
    /// Dates.
    case dateAttributeType = 900
    /// Data.
    case binaryDataAttributeType = 1000
    /// UUIDs.
    case UUIDAttributeType = 1100
    /// URIs.
    case URIAttributeType = 1200
    /// Objects that a value transformer, or a keyed archive, converts to data.
    case transformableAttributeType = 1800
    /// Identifiers of objects; only for results of fetches.
    case objectIDAttributeType = 2000
    /// Several named values, as a dictionary.
    case compositeAttributeType = 2100
}

extension NSAttributeType {
    init(_ type: ObjectGraph.AttributeType) {
        self = NSAttributeType(rawValue: UInt(type.rawValue)) ?? .undefinedAttributeType
    }

    /// `nil` for types that are never stored.
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
    /// A type of attribute values, with short names.
    public struct AttributeType: RawRepresentable, Hashable, Sendable {
        /// The number that model files use.
        public var rawValue: UInt

        /// Creates a type from its number.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Creates a type from the enumeration.
        public init(_ type: NSAttributeType) {
            rawValue = type.rawValue
        }

        /// Any value; only for transient attributes.
        public static let undefined = AttributeType(.undefinedAttributeType)
        /// Integers of 16 bits.
        public static let integer16 = AttributeType(.integer16AttributeType)
        /// Integers of 32 bits.
        public static let integer32 = AttributeType(.integer32AttributeType)
        /// Integers of 64 bits.
        public static let integer64 = AttributeType(.integer64AttributeType)
        /// Decimal numbers, which a file keeps with the precision of a double.
        public static let decimal = AttributeType(.decimalAttributeType)
        /// Floating-point numbers of double precision.
        public static let double = AttributeType(.doubleAttributeType)
        /// Floating-point numbers of single precision.
        public static let float = AttributeType(.floatAttributeType)
        /// Texts.
        public static let string = AttributeType(.stringAttributeType)
        /// Boolean values.
        public static let boolean = AttributeType(.booleanAttributeType)
        /// Dates.
        public static let date = AttributeType(.dateAttributeType)
        /// Data.
        public static let binaryData = AttributeType(.binaryDataAttributeType)
        /// UUIDs.
        public static let uuid = AttributeType(.UUIDAttributeType)
        /// URIs.
        public static let uri = AttributeType(.URIAttributeType)
        /// Objects that a value transformer, or a keyed archive, converts to data.
        public static let transformable = AttributeType(.transformableAttributeType)
        /// Identifiers of objects; only for results of fetches.
        public static let objectID = AttributeType(.objectIDAttributeType)
        /// Several named values, as a dictionary.
        public static let composite = AttributeType(.compositeAttributeType)

        /// Unknown numbers count as undefined.
        var attributeType: NSAttributeType { NSAttributeType(rawValue: rawValue) ?? .undefinedAttributeType }
    }
}
