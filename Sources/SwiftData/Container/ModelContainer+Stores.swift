extension ModelContainer {
    /// Returns the name of the configuration that a store was opened with, or `nil` if the container has no such store.
    /// - Parameter identifier: The store's identifier, as in `PersistentIdentifier.storeIdentifier` and history tokens.
    public func configurationName(forStoreIdentifier identifier: String) -> String? {
        core.storeIdentifiers.first { $0.value == identifier }?.key
    }

    /// Returns the identifier of the store of a configuration, or `nil` if the container has no configuration of that name.
    /// - Parameter name: The name of the configuration; `default` if it was given none.
    public func storeIdentifier(forConfigurationNamed name: String) -> String? {
        core.storeIdentifiers[name]
    }
}
