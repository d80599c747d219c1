import Foundation

@testable import AppleFormats
@testable import SQLiteStore

/// The facts of an archived model, as texts that do not depend on the order of its objects: by the kind of object and its key, the
/// values of each entity and property.
struct ArchiveFacts {
    /// "class key" → "object = value".
    private(set) var values: [String: Set<String>] = [:]
    /// Class → itself and its ancestors.
    private(set) var classes: [String: [String]] = [:]
    /// Keys of the property list itself, except the objects.
    private(set) var heading: [String: PropertyList] = [:]
    private(set) var firstObject: PropertyList?

    private static let depthLimit = 12

    init?(_ propertyList: PropertyList) {
        guard let archive = KeyedArchive(propertyList), let root = archive.root else { return nil }
        heading = propertyList.dictionaryValue ?? [:]
        let objects = heading.removeValue(forKey: "$objects")?.arrayValue ?? []
        firstObject = objects.first
        for object in objects.compactMap(\.dictionaryValue) {
            guard let name = object["$classname"]?.stringValue else { continue }
            classes[name] = (object["$classes"]?.arrayValue ?? []).compactMap(\.stringValue)
        }
        add(root, "model")
        for entity in root.entries("NSEntities").compactMap({ archive.object($0.value) }) {
            let name = entity.string("NSEntityName") ?? ""
            add(entity, name)
            for property in entity.entries("NSProperties").compactMap({ archive.object($0.value) }) {
                addProperty(property, name)
            }
        }
    }

    private mutating func addProperty(_ property: ArchivedObject, _ owner: String) {
        let name = owner + "." + (property.string("NSPropertyName") ?? "")
        add(property, name)
        for element in property.objects("NSCompositeElements") { addProperty(element, name) }
    }

    private mutating func add(_ object: ArchivedObject, _ name: String) {
        for (key, value) in object.fields where key != "$class" {
            let place = "\(object.className) \(key)"
            values[place, default: []].insert("\(name) = \(text(value, object.archive, depth: 0, key: key))")
        }
    }

    private func text(_ value: PropertyList, _ archive: KeyedArchive, depth: Int, key: String = "") -> String {
        guard depth < Self.depthLimit else { return "…" }
        // Booleans and numbers are distinguished, as are plain values and references.
        guard case .uid(let number) = value else { return plainText(value, archive, depth) }
        if number == 0 { return "null" }
        guard let object = archive.object(value) else {
            return "→" + plainText(archive.resolve(value) ?? .null, archive, depth)
        }
        if let name = identity(of: object, at: key) { return "→" + name }
        var fields = object.fields
        fields["$class"] = nil
        let content = fields.sorted { $0.key < $1.key }.map { key, value -> String in
            guard key == "NS.keys" || key == "NS.objects", object.fields["NS.keys"] != nil || isSet(object) else {
                return "\(key): \(text(value, archive, depth: depth + 1, key: key))"
            }
            return ""
        }
        return "\(object.className){\(content.joined(separator: " "))\(unordered(object, depth))}"
    }

    private func isSet(_ object: ArchivedObject) -> Bool { object.className == "NSSet" }

    /// Entries of a dictionary and members of a set, which have no order.
    private func unordered(_ object: ArchivedObject, _ depth: Int) -> String {
        let archive = object.archive
        let entries = object.fields["NS.keys"] == nil ? [] : archive.entries(.dictionary(object.fields)) ?? []
        let members = isSet(object) ? object.elements("NS.objects") ?? [] : []
        let texts =
            entries.map { text($0.key, archive, depth: depth + 1) + ": " + text($0.value, archive, depth: depth + 1) }
            + members.map { text($0, archive, depth: depth + 1) }
        return texts.sorted().joined(separator: ", ")
    }

    /// The name of an object described elsewhere.
    private func identity(of object: ArchivedObject, at key: String) -> String? {
        switch object.className {
        case "NSManagedObjectModel": return "model"
        case "NSEntityDescription": return "entity " + (object.string("NSEntityName") ?? "")
        case "NSFetchIndexDescription" where key == object.className:
            return "index " + (object.string("NSIndexName") ?? "")
        default:
            guard object.className.hasSuffix("Description"), let name = object.string("NSPropertyName"),
                let entity = object.object("NSEntity")?.string("NSEntityName")
            else { return nil }
            return "\(object.className) \(entity).\(name)"
        }
    }

    private func plainText(_ value: PropertyList, _ archive: KeyedArchive, _ depth: Int) -> String {
        switch value {
        case .boolean(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .real(let number): "real \(number)"
        case .string(let text): "\"\(text)\""
        case .data(let data): data.map { String($0, radix: 16) }.joined(separator: " ")
        case .array(let elements):
            "[" + elements.map { text($0, archive, depth: depth + 1) }.joined(separator: ", ") + "]"
        default: "\(value)"
        }
    }
}
