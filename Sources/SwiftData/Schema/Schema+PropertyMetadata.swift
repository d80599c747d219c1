extension Schema {
    /// What a model class says of one of its persisted properties. The `@Model` macro writes these.
    ///
    /// A declaration about several properties (`#Index`, `#Unique`) is also one of these; its key path leads nowhere.
    public struct PropertyMetadata {
        let name: String
        let keypath: AnyKeyPath
        /// The property's initial value in the class, or `nil` when it has none. Models that a relationship begins with
        /// are no values of a schema: one that leads back to this class would be made for ever.
        let defaultValue: Any?
        /// What the property's annotation says, or `nil` when it has none.
        let metadata: (any SchemaProperty)?
        /// Codes of warnings about delete rules that a comment at the property silences.
        let silencedWarnings: [String]

        public init(
            name: String, keypath: AnyKeyPath, defaultValue: @autoclosure () -> Any? = nil,
            metadata: (any SchemaProperty)? = nil
        ) {
            self.init(name: name, keypath: keypath, defaultValue: defaultValue(), metadata: metadata, silencing: [])
        }

        /// Written for a property under a comment `openswiftdata:silence`.
        public init(
            name: String, keypath: AnyKeyPath, defaultValue: @autoclosure () -> Any?,
            metadata: (any SchemaProperty)?, silencing silencedWarnings: [String]
        ) {
            self.name = name
            self.keypath = keypath
            let isRelationship = ModelPropertyBuilder.relationship(of: type(of: keypath).valueType) != nil
            self.defaultValue = isRelationship ? nil : defaultValue()
            self.metadata = metadata
            self.silencedWarnings = silencedWarnings
        }

        /// Written for a class whose initial values may make models while the store makes one of it.
        public static var _makesObjects: PropertyMetadata {
            PropertyMetadata(name: makesObjectsName, keypath: \Schema.encodingVersion)
        }

        private static let makesObjectsName = "SwiftData._makesObjects"

        var saysThatObjectsAreMade: Bool { name == Self.makesObjectsName }
    }
}
