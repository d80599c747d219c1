import Foundation
import ObjectGraph

/// Archives default values; `ArchivedDefault` decodes them.
extension KeyedArchiveWriter {
    /// Returns the null object if there is no default. A composite's default is a dictionary of the leaves with a value.
    mutating func defaultValue(of attribute: Attribute) -> PropertyList {
        guard let values = attribute.defaultValue else { return Self.null }
        guard attribute.type == .composite else {
            return values.first.map { add($0, as: attribute.type) } ?? Self.null
        }
        var entries: [(key: String, value: PropertyList)] = []
        for (leaf, value) in zip(attribute.leaves, values) where !value.isNull {
            entries.append((leaf.name, add(value, as: leaf.type)))
        }
        return add(.mutableDictionary, of: entries)
    }

    /// Values that do not match the type cannot be archived; neither can decimals, because no file with one is known.
    private mutating func add(_ value: Value, as type: AttributeType) -> PropertyList {
        switch (type, value) {
        case (.integer16, .integer(let number)), (.integer32, .integer(let number)), (.integer64, .integer(let number)):
            add(scalar: .integer(number))
        case (.boolean, .integer(let number)): add(scalar: .boolean(number != 0))
        case (.double, .real(let number)), (.float, .real(let number)): add(scalar: .real(number))
        case (.string, .text(let text)): add(text)
        case (.binary, .bytes(let data)): add(scalar: .data(data))
        case (.uuid, .uuid(let uuid)): add(.uuid, ["NS.uuidbytes": .data(uuid.rawBytes)])
        case (.date, .real(let seconds)): add(.date, ["NS.time": .real(seconds)])
        case (.uri, .text(let text)): add(.url, ["NS.base": Self.null, "NS.relative": add(text)])
        default: Self.null
        }
    }
}
