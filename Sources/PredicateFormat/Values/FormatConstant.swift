import Foundation
import ObjectGraph

/// A constant of the predicate language, and the result of an expression evaluated over plain objects.
package enum FormatConstant: Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case decimal(Decimal)
    case text(String)
    /// Seconds since 2001-01-01 UTC.
    case date(Double)
    case bytes(Data)
    case uuid(UUID)
    /// A URL as text.
    case url(String)
    case reference(ObjectID)
    /// An array or a set.
    case list([FormatConstant])
    /// Any other value of the program: a managed object, an entity description, an object of its own.
    case object(FormatObject)
}

extension FormatConstant {
    package var isNull: Bool { self == .null }

    /// The identity of an object or identifier.
    package var objectID: ObjectID? {
        switch self {
        case .reference(let id): id
        case .object(let object): (object.base as? any ObjectIDRepresentable)?.graphObjectID
        default: nil
        }
    }

    /// The kind of the constant, for messages; never the value.
    package var kindName: String {
        switch self {
        case .null: "nil"
        case .boolean: "a truth value"
        case .integer, .real, .decimal: "a number"
        case .text: "a text"
        case .date: "a date"
        case .bytes: "data"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .reference: "an object identifier"
        case .list: "a list"
        case .object: "an object"
        }
    }
}

/// A value of the program inside a predicate, which the language cannot examine.
package struct FormatObject: Hashable {
    package let base: Any
    private let key: AnyHashable

    package init(_ base: Any) {
        self.base = base
        if let hashable = base as? any Hashable {
            key = AnyHashable(hashable)
        } else if type(of: base) is AnyClass {
            key = AnyHashable(ObjectIdentifier(base as AnyObject))
        } else {
            key = AnyHashable(UniqueKey())
        }
    }

    package static func == (lhs: FormatObject, rhs: FormatObject) -> Bool { lhs.key == rhs.key }
    package func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// The key of a value that is not hashable: equal to itself only.
    private final class UniqueKey: Hashable {
        static func == (lhs: UniqueKey, rhs: UniqueKey) -> Bool { lhs === rhs }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
}

/// An object or identifier that may be used where a predicate expects an object.
package protocol ObjectIDRepresentable {
    /// `nil` for an object that belongs to no context.
    var graphObjectID: ObjectID? { get }
}

/// An entity description, for `entity == %@`.
package protocol EntityRepresentable {
    var graphEntityName: String? { get }
}

extension ObjectID: ObjectIDRepresentable {
    package var graphObjectID: ObjectID? { self }
}

extension Entity: EntityRepresentable {
    package var graphEntityName: String? { name }
}
