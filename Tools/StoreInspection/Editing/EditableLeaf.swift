import Foundation
import ObjectGraph
import SQLiteStore
import StoreSQL

/// One editable value of a row: an attribute, or one part of a composite.
package struct EditableLeaf: Sendable {
    /// The path of the value, such as `author.person`. An attribute that is no composite, or has a single part of its
    /// own name, uses its name.
    package let path: String
    package let attribute: EntityAttribute
    /// The description of the value.
    package let leaf: Attribute
    package let slot: Int

    /// Whether the value may be nil. If a composite is optional, so are all its parts.
    package var isOptional: Bool { leaf.isOptional || attribute.attribute.isOptional }

    /// Whether the empty text differs from nil, so that the form needs a way to enter nil.
    package var distinguishesEmpty: Bool { leaf.type == .string }

    package var type: String { TypeText.text(leaf) }

    /// The editable values of an entity in the order of the model, without derived and transient attributes.
    package static func all(of entity: Entity) -> [EditableLeaf] {
        entity.attributes.flatMap { attribute -> [EditableLeaf] in
            guard !attribute.attribute.isTransient, !attribute.attribute.isDerived else { return [] }
            return zip(attribute.slots, paths(attribute.attribute)).compactMap { slot, found in
                found.leaf.isTransient || found.leaf.isDerived
                    ? nil : EditableLeaf(path: found.path, attribute: attribute, leaf: found.leaf, slot: slot)
            }
        }
    }

    private static func paths(_ attribute: Attribute) -> [(path: String, leaf: Attribute)] {
        guard attribute.type == .composite else { return [(attribute.name, attribute)] }
        if let only = attribute.elements.first, attribute.elements.count == 1, only.name == attribute.name,
            only.type != .composite
        {
            return [(attribute.name, only)]
        }
        return attribute.elements.flatMap { element in
            paths(element).map { ("\(attribute.name).\($0.path)", $0.leaf) }
        }
    }
}

/// A value as a text that can be edited and parsed again without loss.
package enum EditText {
    /// In characters. Longer texts are shown, but not editable.
    package static let longest = 100_000

    package enum Form: Sendable, Equatable {
        /// A text to edit; `nil` for nil.
        case text(String?)
        /// Bytes, and texts too long for a form.
        case shownOnly
    }

    package static func form(of value: Value, _ leaf: Attribute) -> Form {
        switch leaf.type {
        case .binary, .transformable, .composite: return .shownOnly
        default: break
        }
        switch value {
        case .null: return .text(nil)
        case .integer(let number) where leaf.type == .boolean: return .text(number == 0 ? "false" : "true")
        case .integer(let number): return .text(String(number))
        case .real(let number) where leaf.type == .date:
            return .text(DateText.lossless(number) ?? String(describing: number))
        case .real(let number): return .text(String(describing: number))
        case .text(let text): return text.count > longest ? .shownOnly : .text(text)
        case .uuid(let uuid): return .text(uuid.uuidString)
        case .decimal(let number): return .text(ColumnCodec.text(of: number))
        // The cell's type does not match the attribute's, as in a damaged file.
        case .bytes, .reference: return .shownOnly
        }
    }

    /// Compares texts as forms transmit them: line ends and characters that forms cannot transmit do not count.
    package static func areSame(_ one: String?, _ other: String?) -> Bool {
        switch (one, other) {
        case (nil, nil): true
        case (let one?, let other?): Array(plain(one).unicodeScalars) == Array(plain(other).unicodeScalars)
        default: false
        }
    }

    /// The text with Unix line ends.
    package static func plain(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where previous == "\r": break
            case "\r": plain.append("\n")
            case "\u{0}": plain.append("\u{FFFD}")
            default: plain.append(scalar)
            }
            previous = scalar
        }
        return String(plain)
    }

    /// - Returns: `nil` if the text does not fit the type.
    package static func value(_ text: String?, _ leaf: Attribute) -> Value? {
        guard let text else { return .null }
        if leaf.type == .string { return .text(plain(text)) }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if trimmed.isEmpty { return .null }
        if leaf.type == .uri { return URL(string: trimmed) == nil ? nil : .text(trimmed) }
        if leaf.type == .date, let value = ValueImport.value(.text(withSeconds(trimmed)), leaf) { return value }
        return ValueImport.value(.text(trimmed), leaf)
    }

    /// Adds the seconds that browsers omit when they are zero.
    private static func withSeconds(_ text: String) -> String {
        let colons = text.count(where: { $0 == ":" })
        return colons == 1 && text.last?.isNumber == true && text.dropLast(2).last == ":" ? text + ":00" : text
    }

    package static func expected(_ leaf: Attribute) -> String {
        leaf.type == .uri ? "a URL" : ValueImport.expected(leaf)
    }
}
