import ArgumentParser
import Foundation
import ObjectGraph
import StoreInspection

/// Completes names from the store that the command line already names, for shells.
enum NameCompletion {
    static let entities = CompletionKind.custom { arguments, _, _ in
        store(arguments)?.model.entities.map(\.name).sorted() ?? []
    }

    static let properties = CompletionKind.custom { arguments, _, prefix in
        let names = entity(arguments)?.propertyNames ?? []
        // Keeps the names before a comma.
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

    /// The model of the first file on the command line, and the arguments after it.
    private static func store(_ arguments: [String]) -> (model: Model, rest: ArraySlice<String>)? {
        let words = arguments.map(meant)
        guard let place = words.indices.dropFirst().first(where: { isFile(words[$0]) }), isSmall(words[place]),
            let file = try? InspectedFile(URL(fileURLWithPath: words[place])), let model = file.facts.model
        else { return nil }
        return (model, words[(place + 1)...])
    }

    /// The value of a word as the shell expands it: without quotes, and with `~` expanded.
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

    /// A file that another process has open must be copied to be read, which takes too long for a completion if it is
    /// large.
    private static func isSmall(_ path: String) -> Bool {
        ["", "-wal"].allSatisfy { ending in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + ending)
            return (attributes?[.size] as? NSNumber)?.int64Value ?? 0 <= 64_000_000
        }
    }
}
