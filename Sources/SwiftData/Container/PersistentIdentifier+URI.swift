import Foundation
import ObjectGraph

extension PersistentIdentifier {
    /// Returns the identifier as a short URL for addresses, files and messages: `x-coredata://<store>/<Entity>/p<key>`. It
    /// is the same in every process and for the life of the model, and the same as Core Data's for the same row.
    ///
    /// `ModelContainer.identifier(forURIRepresentation:)` reads it. The URL of a model that was never saved has `t` in
    /// place of `p`, and is meaningless once the process has ended.
    public func uriRepresentation() -> URL {
        // Converts characters in names of entities that a URL cannot contain as they are.
        URL(string: description) ?? URL(fileURLWithPath: "/")
    }
}

extension ModelContainer {
    /// Returns the identifier that `uriRepresentation()` wrote as a URL.
    ///
    /// The URL may come from any source, such as a web address: nothing is read, and fetching the model shows whether its
    /// row exists.
    /// - Parameter uri: The URL.
    /// - Returns: `nil` unless the URL names a store of this container, a class that the store keeps, and a key; also `nil`
    ///   for a model that was never saved.
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
