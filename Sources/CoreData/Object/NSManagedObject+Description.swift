import Foundation
import ObjectGraph

/// The description of an object.
extension NSManagedObject {
    /// Values by name, without reading the store: a fault stays a fault, and members that were not read are left out.
    final var describedValues: String {
        if isFault { return "<fault>" }
        let lines = table.properties.map(\.name).sorted().compactMap { name in
            table[name].flatMap(described).map { "    \(name) = \($0);\n" }
        }
        return "{\n\(lines.joined())}"
    }

    private func described(_ place: PropertyPlace) -> String? {
        switch place {
        case .attribute(let place): attributeValue(place).map(Self.text) ?? "nil"
        case .toOne(let relationship):
            if case .reference(let id)? = relationship.slot.map({ record.value($0) }) {
                "\"\(id.uriText)\""
            } else {
                "nil"
            }
        case .toMany(let relationship): describedMembers(relationship)
        case .fetched: nil
        }
    }

    /// The maximum number of members in a description, to keep logs short.
    private static var mostMembers: Int { 20 }

    private func describedMembers(_ relationship: EntityRelationship) -> String {
        guard let ids = record.knownMembers(of: relationship) else {
            return "\"<relationship fault: \(relationship.name)>\""
        }
        let shown = ids.prefix(Self.mostMembers).map { "\"\($0.uriText)\"" }
        let rest = ids.count - shown.count
        return "(\((shown + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: ", ")))"
    }

    /// A word unquoted, other texts in quotation marks, data as their size.
    private static func text(_ value: Any) -> String {
        if let data = value as? Data { return "<\(data.count) bytes>" }
        let text = "\(value)"
        let isPlain =
            !text.isEmpty
            && text.unicodeScalars.allSatisfy {
                $0 == "." || $0 == "_" || $0.properties.isAlphabetic
                    || ("0"..."9").contains($0)
            }
        return isPlain ? text : "\"\(text.replacing("\"", with: "\\\""))\""
    }
}
