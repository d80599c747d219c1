extension ObjectID {
    /// Creates an identity from its `uriText`; `nil` for other texts, and after too many unknown stores.
    package init?(uriText: String) {
        let prefix = "x-coredata://"
        guard uriText.hasPrefix(prefix) else { return nil }
        let parts = uriText.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[1].isEmpty, let mark = parts[2].first, let key = Int64(parts[2].dropFirst()),
            (mark == "p" && !parts[0].isEmpty) || (mark == "t" && parts[0].isEmpty)
        else { return nil }
        let store = parts[0].isEmpty ? nil : String(parts[0])
        guard let space = IDSpace.internForeign(storeIdentifier: store, entityName: String(parts[1])) else {
            return nil
        }
        self.init(space: space, key: key)
    }
}
