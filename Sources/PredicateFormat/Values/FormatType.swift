import Foundation
import ObjectGraph

/// The type of an expression's value, as far as the conversion of constants requires it.
package enum FormatType: Hashable, Sendable {
    case boolean, integer, real, decimal, date
    case text, url, uuid, bytes
    case object
    /// An archived value of the program's own type.
    case opaque

    package init(_ type: AttributeType) {
        switch type {
        case .integer16, .integer32, .integer64: self = .integer
        case .decimal: self = .decimal
        case .double, .float: self = .real
        case .string: self = .text
        case .boolean: self = .boolean
        case .date: self = .date
        case .binary: self = .bytes
        case .uuid: self = .uuid
        case .uri: self = .url
        case .transformable, .composite: self = .opaque
        }
    }

    package var isNumber: Bool {
        switch self {
        case .boolean, .integer, .real, .decimal: true
        default: false
        }
    }

    /// Whether a store keeps values of the type as text.
    package var isText: Bool { self == .text || self == .url }

    /// The name of the type, for messages.
    package var name: String {
        switch self {
        case .boolean: "a truth value"
        case .integer, .real, .decimal: "a number"
        case .date: "a date"
        case .text: "a text"
        case .url: "a URL"
        case .uuid: "a UUID"
        case .bytes: "data"
        case .object: "an object"
        case .opaque: "a value of the program's own type"
        }
    }
}

extension FormatConstant {
    /// The type of the constant; `nil` for nil and for lists.
    package var type: FormatType? {
        switch self {
        case .null, .list: nil
        case .boolean: .boolean
        case .integer: .integer
        case .real: .real
        case .decimal: .decimal
        case .text: .text
        case .date: .date
        case .bytes: .bytes
        case .uuid: .uuid
        case .url: .url
        case .reference: .object
        case .object: objectID == nil ? .opaque : .object
        }
    }

    /// The constant as a stored value; `nil` for lists and for objects without a context.
    package var storedValue: Value? {
        switch self {
        case .null: .null
        case .boolean(let truth): .integer(truth ? 1 : 0)
        case .integer(let integer): .integer(integer)
        case .real(let real), .date(let real): .real(real)
        case .decimal(let decimal): .decimal(decimal)
        case .text(let text), .url(let text): .text(text)
        case .bytes(let data): .bytes(data)
        case .uuid(let uuid): .uuid(uuid)
        case .reference(let id): .reference(id)
        case .object: objectID.map(Value.reference)
        case .list: nil
        }
    }

    /// Converts the constant to the type it is compared with; `nil` if there is no sensible conversion.
    ///
    /// 1. Nil stays nil. Numbers are unchanged when compared with any number type, and with dates, where they are seconds
    ///    since 2001-01-01 UTC.
    /// 2. Text is parsed as the other type: a number, a truth value, a date (`2024-05-01`, `2024-05-01T10:00:00Z`), a
    ///    UUID, a URL, an object's URI.
    /// 3. Compared with texts, numbers, URLs and UUIDs become their text.
    package func coerced(to type: FormatType) -> FormatConstant? {
        switch (self, type) {
        case (.null, _): self
        case (.boolean, _) where type.isNumber, (.integer, _) where type.isNumber, (.real, _) where type.isNumber,
            (.decimal, _) where type.isNumber:
            self
        case (.integer(let integer), .date): .date(Double(integer))
        case (.real(let real), .date): .date(real)
        case (.decimal(let decimal), .date): .date(decimal.storedDouble)
        case (.text(let text), _): Self.read(text, as: type)
        case (.url(let text), .text): .text(text)
        case (.uuid(let uuid), .text): .text(uuid.uuidString)
        case (.integer, .text), (.real, .text), (.decimal, .text): .text(numberText)
        case (.bytes(let data), .uuid): UUID(bytes: data).map(FormatConstant.uuid)
        case (.object, .object), (.reference, .object): objectID.map(FormatConstant.reference)
        case (.date, .date), (.url, .url), (.uuid, .uuid), (.bytes, .bytes): self
        default: nil
        }
    }

    private var numberText: String {
        switch self {
        case .integer(let integer): String(integer)
        case .real(let real): Int64(exactly: real).map(String.init) ?? "\(real)"
        case .decimal(let decimal): decimal.description
        default: ""
        }
    }

    private static func read(_ text: String, as type: FormatType) -> FormatConstant? {
        switch type {
        case .text: .text(text)
        case .url: .url(text)
        case .integer, .real: Int64(text).map(FormatConstant.integer) ?? real(text)
        case .decimal: real(text) == nil ? nil : Decimal(string: text).map(FormatConstant.decimal)
        case .boolean: truth(text)
        case .date: FormatDate.seconds(of: text).map(FormatConstant.date)
        case .uuid: UUID(uuidString: text).map(FormatConstant.uuid)
        case .object: ObjectID(uriText: text).map(FormatConstant.reference)
        case .bytes, .opaque: nil
        }
    }

    private static func real(_ text: String) -> FormatConstant? {
        Double(text).flatMap { $0.isFinite ? .real($0) : nil }
    }

    private static func truth(_ text: String) -> FormatConstant? {
        switch text.lowercased() {
        case "true", "yes", "1": .boolean(true)
        case "false", "no", "0": .boolean(false)
        default: nil
        }
    }
}

extension UUID {
    /// - Returns: `nil` unless there are sixteen bytes.
    fileprivate init?(bytes: Data) {
        guard bytes.count == 16 else { return nil }
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
        self.init(uuid: uuid)
    }
}
