extension Schema {
    /// What a model class says of one of its persisted properties. The `@Model` macro writes these.
    ///
    /// A declaration about several properties (`#Index`, `#Unique`) is also one of these; its key path leads nowhere.
    public struct PropertyMetadata {
        let name: String
        let keypath: AnyKeyPath
        /// The property's initial value in the class, or `nil` when it has none.
        let defaultValue: Any?
        /// What the property's annotation says, or `nil` when it has none.
        let metadata: (any SchemaProperty)?

        public init(
            name: String, keypath: AnyKeyPath, defaultValue: Any? = nil, metadata: (any SchemaProperty)? = nil
        ) {
            self.name = name
            self.keypath = keypath
            self.defaultValue = defaultValue
            self.metadata = metadata
        }
    }
}
