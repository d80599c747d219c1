import ArgumentParser
import Foundation
import ObjectGraph
import StoreInspection

/// Names out of the store that is on the command line already, for shells to complete.
enum NameCompletion {
    static let entities = CompletionKind.custom { arguments, _, _ in
        store(arguments)?.model.entities.map(\.name).sorted() ?? []
    }

    static let properties = CompletionKind.custom { arguments, _, prefix in
        let names = entity(arguments)?.propertyNames ?? []
        // Those that stand before a comma stay.
        let known = prefix.lastIndex(where: { ",-".contains($0) }).map { String(prefix[...$0]) } ?? ""
        return names.map { known + $0 }
    }

    static let relationships = CompletionKind.custom { arguments, _, _ in
        entity(arguments)?.relationships.map(\.name) ?? []
    }

    private static func entity(_ arguments: [String]) -> Entity? {
        guard let (model, rest) = store(arguments) else { return nil }
        return rest.lazy.compactMap { try? model.inspectedEntity($0) }.first
    }

    /// The model in the first file that is named, and what follows it.
    private static func store(_ arguments: [String]) -> (model: Model, rest: ArraySlice<String>)? {
        let words = arguments.map(meant)
        guard let place = words.indices.dropFirst().first(where: { isFile(words[$0]) }), isSmall(words[place]),
            let file = try? InspectedFile(URL(fileURLWithPath: words[place])), let model = file.facts.model
        else { return nil }
        return (model, words[(place + 1)...])
    }

    /// What the shell makes of a word that stands on its line: without quotes, and with the user's folder.
    private static func meant(_ word: String) -> String {
        var text = ""
        var (quote, isEscaped): (Character?, Bool) = (nil, false)
        for character in word {
            if isEscaped {
                text.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else {
                text.append(character)
            }
        }
        return word.hasPrefix("~/") ? FileManager.default.homeDirectoryForCurrentUser.path + text.dropFirst() : text
    }

    private static func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
    }

    /// A file that others have open is copied to be read, for which nobody waits at each Tab.
    private static func isSmall(_ path: String) -> Bool {
        ["", "-wal"].allSatisfy { ending in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + ending)
            return (attributes?[.size] as? NSNumber)?.int64Value ?? 0 <= 64_000_000
        }
    }
}
