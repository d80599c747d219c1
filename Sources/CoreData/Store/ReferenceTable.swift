import Foundation
import ObjectGraph
import PredicateFormat

/// Keys of objects in a store of a program's own class, which knows its objects by references of its own: numbers, texts or
/// UUIDs.
///
/// A positive number is a key as it is. Everything else gets a key that is good for as long as the store is open; its
/// reference, not its key, is what stands in URIs.
final class ReferenceTable: Sendable {
    private let state = Locked(State())

    /// References that are equal are of one object.
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
        // References are values that nobody changes.
        var keys: [Name: Int64] = [:]
        var references: [Int64: Any] = [:]
        var nextKey = ReferenceTable.firstKey
    }

    /// Numbers below it are keys themselves.
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

    /// What an object's key stands for.
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

    /// What stands for the key at the end of a URI, after the mark; `nil` for a reference that is neither number nor text.
    func text(of key: Int64) -> String? {
        switch Self.normal(reference(of: key)) {
        case .number(let number): String(number)
        case .text(let text): text.addingPercentEncoding(withAllowedCharacters: Self.plainCharacters(of: text))
        case .other(let value): (value.base as? UUID)?.uuidString
        }
    }

    /// None, where the text would be taken for something else than a text.
    private static func plainCharacters(of text: String) -> CharacterSet {
        Int64(text) == nil && UUID(uuidString: text) == nil ? .alphanumerics : CharacterSet()
    }

    /// The reverse. A text that is no number is taken for the reference itself, unless a UUID is known by it.
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
