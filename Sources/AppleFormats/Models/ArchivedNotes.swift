import Foundation

/// Decodes a program's own dictionaries (`userInfo`) of an archive to plain values.
struct ArchivedNotes {
    private let budget: TextBudget
    private static let depthLimit = 8

    init(_ budget: TextBudget) { self.budget = budget }

    func userInfo(of object: ArchivedObject) -> [String: PropertyList] {
        notes(object.entries("NSUserInfo"), object.archive)
    }

    func notes(
        _ entries: [(key: PropertyList, value: PropertyList)], _ archive: KeyedArchive
    ) -> [String: PropertyList] {
        var notes: [String: PropertyList] = [:]
        for (key, value) in entries {
            if let name = archive.string(key) { notes[name] = plain(value, archive) }
        }
        return notes
    }

    /// Returns the value without references; objects that are not collections become null.
    func plain(_ value: PropertyList, _ archive: KeyedArchive, depth: Int = 0) -> PropertyList {
        guard depth < Self.depthLimit, budget.take(), let resolved = archive.resolve(value) else { return .null }
        if let text = archive.string(value) { return budget.take(text.utf8.count) ? .string(text) : .null }
        if let elements = archive.elements(value) {
            return .array(elements.map { plain($0, archive, depth: depth + 1) })
        }
        if let entries = archive.entries(value) {
            let pairs = entries.compactMap { entry in
                archive.string(entry.key).map { ($0, plain(entry.value, archive, depth: depth + 1)) }
            }
            return .dictionary(Dictionary(pairs) { first, _ in first })
        }
        return resolved.dictionaryValue == nil ? resolved : .null
    }
}

extension [String: PropertyList] {
    /// Decodes a dictionary that is an archive of its own; empty if the bytes contain something else.
    package init(archivedNotes data: Data) {
        guard let list = try? PropertyList(binary: data, allowance: 1 << 18), let archive = KeyedArchive(list),
            let entries = archive.entries(archive.rootReference)
        else {
            self = [:]
            return
        }
        self = ArchivedNotes(TextBudget()).notes(entries, archive)
    }
}
