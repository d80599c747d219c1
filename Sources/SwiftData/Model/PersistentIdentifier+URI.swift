import Foundation
import ObjectGraph

extension PersistentIdentifier {
    /// The identifier as a short text for addresses, files and messages: `x-coredata://<store>/<Entity>/p<key>`. It is the same
    /// in every process and for the life of the model, and what Core Data writes for the same row.
    ///
    /// `ModelContainer.identifier(forURIRepresentation:)` reads it. Of a model that was never saved, it says `t` in place of
    /// `p`, and names nothing once the process has ended.
    public func uriRepresentation() -> URL {
        // Names of entities may be letters that have to be written otherwise in a URL, which is what this does.
        URL(string: description) ?? URL(fileURLWithPath: "/")
    }
}

extension ModelContainer {
    /// The identifier that `uriRepresentation()` wrote as a URL.
    ///
    /// It may have come from anywhere, an address for one: nothing is read, and whether there is such a row is found out by
    /// fetching it.
    /// - Returns: `nil` unless it names a store of this container, a class that is kept there, and a key; so also for a model
    ///   that was never saved.
    public func identifier(forURIRepresentation uri: URL) -> PersistentIdentifier? {
        let prefix = "x-coredata://"
        let text = uri.absoluteString
        guard text.hasPrefix(prefix) else { return nil }
        let parts = text.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
            .compactMap { String($0).removingPercentEncoding }
        guard parts.count == 3, parts[2].hasPrefix("p"), parts[2].count > 1,
            core.keeps(entityNamed: parts[1], inStore: parts[0]),
            let key = KeyTexts.foreignKey(of: String(parts[2].dropFirst()))
        else { return nil }
        return PersistentIdentifier(
            ObjectID(space: .intern(storeIdentifier: parts[0], entityName: parts[1]), key: key))
    }
}

extension ContainerCore {
    fileprivate func keeps(entityNamed name: String, inStore identifier: String) -> Bool {
        stores.contains { $0.identifier == identifier && $0.model.entity(named: name) != nil }
    }
}
