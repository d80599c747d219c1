import Foundation

/// A message about a change, which a page shows once.
struct Notice {
    let text: String
    /// The delete that the message's Undo button undoes.
    var undoID: String?
}

extension Notice {
    static func added(_ name: String) -> Notice { Notice(text: "“\(name)” added.") }
    static func changed(_ name: String) -> Notice { Notice(text: "“\(name)” changed.") }
    static func renamed(_ old: String, _ new: String) -> Notice { Notice(text: "“\(old)” renamed to “\(new)”.") }
    static let discarded = Notice(text: "Unsaved changes discarded.")
    static let autosaveOn = Notice(text: "Autosave is on.")
    static let autosaveOff = Notice(text: "Autosave is off. Changes are kept only when you save.")

    /// - Parameter deletes: The saved deletes, newest last.
    static func saved(_ deletes: [Undoable]) -> Notice {
        guard let newest = deletes.last else { return Notice(text: "All changes saved.") }
        return Notice(text: "All changes saved: \(Self.list(deletes)) deleted.", undoID: newest.id)
    }

    static func deleted(_ item: Undoable) -> Notice {
        if case .everything = item.subject { return Notice(text: "Sample data reloaded.", undoID: item.id) }
        return Notice(text: "\(item.subject.phrase) deleted.", undoID: item.id)
    }

    static func restored(_ items: [Undoable]) -> Notice {
        let list = list(items)
        return Notice(text: "\(list.prefix(1).uppercased())\(list.dropFirst()) restored.")
    }

    /// Lists up to three items; of more, the first two.
    private static func list(_ items: [Undoable]) -> String {
        let shown = items.prefix(items.count > 3 ? 2 : 3)
        var phrases = shown.map(\.subject.phrase)
        if items.count > shown.count { phrases.append("\(items.count - shown.count) more") }
        guard phrases.count > 1, let last = phrases.last else { return phrases.first ?? "" }
        return "\(phrases.dropLast().joined(separator: ", ")) and \(last)"
    }
}

extension Undoable.Subject {
    /// "“Dog”", "“Mammal” and its 4 animals".
    var phrase: String {
        switch self {
        case .animal(let name, _): "“\(name)”"
        case .category(let name, animals: 0): "“\(name)”"
        case .category(let name, let count): "“\(name)” and its \(Number.text(count, "animal", "animals"))"
        case .everything: "previous animals and categories"
        }
    }
}

/// Notices by random identifier, so that an address cannot fake one.
struct NoticeBoard {
    /// The maximum number of notices to keep.
    private static let longest = 100
    private var notices: [(id: String, notice: Notice)] = []

    /// - Returns: The notice's identifier.
    mutating func post(_ notice: Notice) -> String {
        let id = UUID().uuidString
        notices.append((id, notice))
        notices.removeFirst(max(0, notices.count - Self.longest))
        return id
    }

    subscript(id: String) -> Notice? { notices.first { $0.id == id }?.notice }
}

struct NoticeView {
    var noticeText: String
    /// The delete that the Undo button undoes.
    var undoID: String?
}
