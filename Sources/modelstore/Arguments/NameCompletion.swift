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
        guard let place = arguments.indices.dropFirst().first(where: { isFile(arguments[$0]) }),
            let file = try? InspectedFile(URL(fileURLWithPath: arguments[place])), let model = file.facts.model
        else { return nil }
        return (model, arguments[(place + 1)...])
    }

    private static func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
    }
}
