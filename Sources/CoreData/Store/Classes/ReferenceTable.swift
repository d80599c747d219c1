import Foundation
import ObjectGraph
import PredicateFormat

/// Keys of objects in a store of a program's own class, which identifies its objects by references: numbers, texts or UUIDs.
///
/// A positive number is used as the key itself. Any other reference gets a key that is valid while the store is open; URIs contain
/// the reference, not the key.
final class ReferenceTable: Sendable {
    private let state = Locked(State())

    /// Equal references identify one object.
    private struct Name: Hashable {
        let entity: String
        let reference: Reference
    }

    private enum Reference: Hashable {
        case number(Int64)
        case text(String)
        case other(AnyHashable)
    }

    private struct State: @unchecked Sendable {
        // References are immutable values.
        var keys: [Name: Int64] = [:]
        var references: [Int64: Any] = [:]
        var nextKey = ReferenceTable.firstKey
    }

    /// Numbers below it are used as keys.
    private static let firstKey: Int64 = 1 << 62

    /// - Parameter entity: the object's own.
    func key(for reference: Any, entity: String) -> Int64 {
        let name = Name(entity: entity, reference: Self.normal(reference))
        if case .number(let number) = name.reference, number > 0, number < Self.firstKey { return number }
        return state.withLock { state in
            if let key = state.keys[name] { return key }
            let key = state.nextKey
            state.nextKey += 1
            state.keys[name] = key
            state.references[key] = reference
            return key
        }
    }

    /// The reference of a key.
    func reference(of key: Int64) -> Any {
        state.withLock { $0.references[key] } ?? NSNumber(value: key)
    }

    private static func normal(_ reference: Any) -> Reference {
        switch FormatConstant(reference) {
        case .integer(let number): .number(number)
        case .text(let text): .text(text)
        case .uuid(let uuid): .other(uuid)
        default: .other((reference as? AnyHashable) ?? AnyHashable(String(describing: reference)))
        }
    }

    // MARK: In URIs

    /// The text in place of the key at the end of a URI; `nil` for a reference that is neither a number, a text nor a UUID.
    func text(of key: Int64) -> String? {
        switch Self.normal(reference(of: key)) {
        case .number(let number): String(number)
        case .text(let text): text.addingPercentEncoding(withAllowedCharacters: Self.plainCharacters(of: text))
        case .other(let value): (value.base as? UUID)?.uuidString
        }
    }

    /// The characters that are not escaped: none if the text looks like a number or a UUID.
    private static func plainCharacters(of text: String) -> CharacterSet {
        Int64(text) == nil && UUID(uuidString: text) == nil ? .alphanumerics : CharacterSet()
    }

    /// The key of a text from a URI. A text that is not a number is taken for the reference itself, unless it is that of a
    /// known UUID.
    func key(ofText text: String, entity: String) -> Int64 {
        if let number = Int64(text) { return key(for: NSNumber(value: number), entity: entity) }
        if let uuid = UUID(uuidString: text),
            let known = state.withLock({ $0.keys[Name(entity: entity, reference: .other(uuid))] })
        {
            return known
        }
        return key(for: text.removingPercentEncoding ?? text, entity: entity)
    }
}
