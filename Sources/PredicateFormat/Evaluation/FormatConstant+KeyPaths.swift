import Foundation
import ObjectGraph

/// Evaluates key paths over plain objects. A key of a collection is read from each member; an operator (`@count`, `@sum`)
/// applies to the collection itself.
extension FormatConstant {
    /// Returns the value at a key path; nil for a path longer than any real one, because each operator in it takes a
    /// stack frame.
    func value(at path: String) -> FormatConstant {
        let keys = path.split(separator: ".", omittingEmptySubsequences: false)
        return keys.count <= FormatParser.depthLimit ? value(at: keys[...]) : .null
    }

    private func value(at path: ArraySlice<Substring>) -> FormatConstant {
        var current = self
        var rest = path
        while let key = rest.popFirst() {
            if key.hasPrefix("@") { return current.applying(String(key.dropFirst()), to: rest) }
            current = current.value(forKey: String(key))
        }
        return current
    }

    private func applying(_ name: String, to path: ArraySlice<Substring>) -> FormatConstant {
        // The path after an operator applies to the members, up to the next operator.
        let inner = path.prefix { !$0.hasPrefix("@") }
        let collection = inner.isEmpty ? self : value(at: inner)
        let rest = path.dropFirst(inner.count)
        guard let members = collection.members else { return .null }
        let result: FormatConstant
        switch name {
        case "count": result = .integer(Int64(members.count))
        case "unionOfObjects", "unionOfArrays", "unionOfSets": result = .list(members)
        case "distinctUnionOfObjects", "distinctUnionOfArrays", "distinctUnionOfSets":
            result = .list(members.distinct.filter { !$0.isNull })
        default: result = FormatFunction(collectionOperator: name)?.apply([.list(members)]) ?? .null
        }
        return rest.isEmpty ? result : result.value(at: rest)
    }

    private func value(forKey key: String) -> FormatConstant {
        if key == "self" || key == "SELF" { return self }
        switch self {
        case .null: return .null
        case .list(let members): return .list(members.flatMap { $0.value(forKey: key).flattened })
        case .text(let text), .url(let text): return Self.property(key, of: text)
        case .date(let seconds): return Self.property(key, ofDate: seconds)
        case .object(let object): return object.value(forKey: key)
        case .reference(let id): return key == "objectID" ? self : key == "entity" ? .entity(id.entityName) : .null
        case .boolean, .integer, .real, .decimal, .bytes, .uuid: return key == "description" ? text : .null
        }
    }

    /// The members of nested collections in one list: to-many relationships of to-many relationships give one collection.
    private var flattened: [FormatConstant] {
        if case .list(let members) = self { members } else { [self] }
    }

    private var text: FormatConstant { coerced(to: .text) ?? .null }

    private static func property(_ key: String, of text: String) -> FormatConstant {
        switch key {
        case "length": .integer(Int64(TextMatching.length(text)))
        case "uppercaseString": .text(text.uppercased())
        case "lowercaseString": .text(text.lowercased())
        case "absoluteString", "description": .text(text)
        default: .null
        }
    }

    private static func property(_ key: String, ofDate seconds: Double) -> FormatConstant {
        switch key {
        case "timeIntervalSinceReferenceDate": .real(seconds)
        case "timeIntervalSince1970": .real(seconds + Date.timeIntervalBetween1970AndReferenceDate)
        default: .null
        }
    }

    fileprivate static func entity(_ name: String) -> FormatConstant { .object(FormatObject(EntityName(name: name))) }
}

/// The entity of an object of which only the identity is known.
private struct EntityName: EntityRepresentable, Hashable {
    let name: String
    var graphEntityName: String? { name }
}

extension FormatObject {
    fileprivate func value(forKey key: String) -> FormatConstant {
        if let readable = base as? any KeyValueReadable, let value = readable.readValue(forKey: key) {
            return FormatConstant(value)
        }
        if let entity = base as? any EntityRepresentable, key == "name" {
            return FormatConstant(entity.graphEntityName)
        }
        if let id = (base as? any ObjectIDRepresentable)?.graphObjectID {
            if key == "objectID" { return .reference(id) }
            if key == "entity" { return .entity(id.entityName) }
        }
        if base is any KeyValueReadable { return .null }
        return Self.storedProperty(key, of: base)
    }

    /// Reads a stored property of a Swift value by reflection. The storage of a property wrapper has an underscore before
    /// its name.
    private static func storedProperty(_ key: String, of value: Any) -> FormatConstant {
        var mirror: Mirror? = Mirror(reflecting: value)
        while let current = mirror {
            if let child = current.children.first(where: { $0.label == key || $0.label == "_" + key }) {
                return FormatConstant(child.value)
            }
            mirror = current.superclassMirror
        }
        return .null
    }
}

// MARK: - Collections that read values by name

extension Dictionary: KeyValueReadable {
    package func readValue(forKey key: String) -> Any? {
        guard let key = key as? Key, let value = self[key] else { return nil }
        return value
    }
}

extension NSDictionary: KeyValueReadable {
    package func readValue(forKey key: String) -> Any? { object(forKey: NSString(string: key)) }
}
