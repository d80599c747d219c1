import Foundation
import ObjectGraph

/// Errors of saving to stores that were opened with `allowsSave: false`.
extension ContainerCore {
    /// Maps an error of a context's save to its public form. A read-only error names the stores that the save changes.
    func savingError(_ error: any Error) -> any Error {
        guard case StoreGroupError.readOnly(let entities) = error else { return ErrorMapping.saving(error) }
        return readOnlyError(changing: entities)
    }

    /// - Parameter entities: The entities with changes, if only some stores are read-only.
    func readOnlyError(changing entities: [String] = []) -> CocoaError {
        let stores = configurations.filter { !$0.allowsSave && $0.keepsAny(of: entities) }
            .map { "\($0.url.lastPathComponent) (configuration '\($0.name)')" }.sorted()
        let names =
            stores.isEmpty ? "The store" : "The store\(stores.count > 1 ? "s" : "") \(stores.joined(separator: ", "))"
        let changed = entities.isEmpty ? "" : ", and there are changes to \(entities.prefix(5).joined(separator: ", "))"
        let text =
            "\(names) \(stores.count > 1 ? "were" : "was") opened with allowsSave: false\(changed); nothing was saved. "
            + "Roll back, or open with allowsSave: true."
        return CocoaError(.fileWriteNoPermission, userInfo: [NSLocalizedDescriptionKey: text])
    }
}

extension ModelConfiguration {
    /// Whether the store may keep one of these entities; always true for an empty list.
    fileprivate func keepsAny(of entities: [String]) -> Bool {
        guard !entities.isEmpty, let schema else { return true }
        return entities.contains { schema.entitiesByName[$0] != nil }
    }
}
