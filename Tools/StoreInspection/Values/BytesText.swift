import AppleFormats
import Foundation
import SQLiteStore

/// Decodes bytes for readers where possible: JSON as it is, an archived object as its content, anything else as its
/// size and beginning.
package enum BytesText {
    package static func readable(_ data: Data) -> InspectedValue {
        if data.isEmpty { return .text("(no bytes)") }
        if let first = data.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["), data.count < 1 << 20,
            let json = try? JSONReading.value(data)
        {
            return json
        }
        if data.starts(with: Array("bplist00".utf8)), data.count < 1 << 20,
            let list = try? PropertyList(binary: data)
        {
            var content = ArchivedContent(list)
            return content.value()
        }
        let beginning = data.prefix(8).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        let more = data.count > 8 ? " …" : ""
        return .text("(\(Amounts.bytes(Int64(data.count))): \(beginning.joined(separator: " "))\(more))")
    }
}

/// The content of a property list, or of a keyed archive in it: collections, and objects as their class and fields.
/// Instantiates no objects.
struct ArchivedContent {
    private let list: PropertyList
    private let objects: [PropertyList]

    private static let deepest = 12
    private static let mostElements = 1000
    /// Limits the output, as an archive may refer to the same object many times.
    private var remaining = 5000

    init(_ list: PropertyList) {
        self.list = list
        objects = list.dictionaryValue?["$objects"]?.arrayValue ?? []
    }

    mutating func value() -> InspectedValue {
        if let top = list.dictionaryValue?["$top"]?.dictionaryValue, !objects.isEmpty {
            return value(top["root"] ?? top.first?.value ?? .null, depth: 0)
        }
        return value(list, depth: 0)
    }

    private mutating func value(_ found: PropertyList, depth: Int) -> InspectedValue {
        guard depth < Self.deepest, remaining > 0 else { return "…" }
        remaining -= 1
        switch found {
        case .null: return .none
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(number)
        case .unsigned(let number): return .text(String(number))
        case .real(let number): return .real(number)
        case .date(let seconds): return .text(DateText.readable(seconds))
        case .data(let data): return .text("(\(Amounts.bytes(Int64(data.count))))")
        case .string(let text): return text == "$null" ? .none : .text(text)
        case .uid(let number):
            guard let index = Int(exactly: number), objects.indices.contains(index) else { return .none }
            return value(objects[index], depth: depth + 1)
        case .array(let elements), .set(let elements):
            return .list(values(elements, depth))
        case .dictionary(let entries): return dictionary(entries, depth: depth)
        }
    }

    private mutating func dictionary(_ entries: [String: PropertyList], depth: Int) -> InspectedValue {
        guard let name = className(entries) else {
            return .fields(fields(entries, depth))
        }
        if let text = entries["NS.string"] { return value(text, depth: depth + 1) }
        if let time = entries["NS.time"], case .real(let seconds) = time { return .text(DateText.readable(seconds)) }
        if let bytes = entries["NS.uuidbytes"]?.dataValue, let uuid = UUID(rawBytes: bytes) {
            return .text(uuid.uuidString)
        }
        if let bytes = entries["NS.data"] ?? entries["NS.bytes"], case .data = bytes {
            return value(bytes, depth: depth + 1)
        }
        if let elements = entries["NS.objects"]?.arrayValue {
            let members = values(elements, depth)
            guard let keys = entries["NS.keys"]?.arrayValue else { return .list(members) }
            let names = values(keys, depth).map(\.cellText)
            return .fields(zip(names, members).map { InspectedField($0, $1) })
        }
        return .fields(
            [InspectedField("class", .text(name))] + fields(entries.filter { !$0.key.hasPrefix("$") }, depth))
    }

    private mutating func values(_ elements: [PropertyList], _ depth: Int) -> [InspectedValue] {
        var found: [InspectedValue] = []
        for element in elements.prefix(Self.mostElements) { found.append(value(element, depth: depth + 1)) }
        return found
    }

    private mutating func fields(_ entries: [String: PropertyList], _ depth: Int) -> [InspectedField] {
        var found: [InspectedField] = []
        for (name, entry) in entries.sorted(by: { $0.key < $1.key }).prefix(Self.mostElements) {
            found.append(InspectedField(name, value(entry, depth: depth + 1)))
        }
        return found
    }

    private func className(_ entries: [String: PropertyList]) -> String? {
        guard case .uid(let number)? = entries["$class"], let index = Int(exactly: number),
            objects.indices.contains(index)
        else { return nil }
        return objects[index].dictionaryValue?["$classname"]?.stringValue
    }
}
