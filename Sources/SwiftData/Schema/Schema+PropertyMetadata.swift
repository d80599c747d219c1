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
        /// Whether the property is a `let` without a value of its own, which the store's initialiser sets.
        let isSetByInitializer: Bool

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
            isSetByInitializer = false
        }

        fileprivate init(name: String, constantAt keypath: AnyKeyPath, metadata: (any SchemaProperty)?) {
            self.name = name
            self.keypath = keypath
            defaultValue = nil
            self.metadata = metadata
            silencedWarnings = []
            isSetByInitializer = true
        }

        /// Written for a class whose initial values may make models while the store makes one of it.
        public static var _makesObjects: PropertyMetadata {
            PropertyMetadata(name: makesObjectsName, keypath: \Schema.encodingVersion)
        }

        private static let makesObjectsName = "SwiftData._makesObjects"

        var saysThatObjectsAreMade: Bool { name == Self.makesObjectsName }
    }
}

// Written for a `let` that initialisers set. What cannot be one is refused here, once, where the type is known.
extension Schema.PropertyMetadata {
    @_disfavoredOverload
    public init<M: PersistentModel, V: Codable>(
        name: String, constant keyPath: KeyPath<M, V>, metadata: (any SchemaProperty)?
    ) {
        self.init(name: name, constantAt: keyPath, metadata: metadata)
    }

    // Not Codable.
    public init<M: PersistentModel>(
        name: String, constant keyPath: KeyPath<M, Character>, metadata: (any SchemaProperty)?
    ) {
        self.init(name: name, constantAt: keyPath, metadata: metadata)
    }

    public init<M: PersistentModel>(
        name: String, constant keyPath: KeyPath<M, Character?>, metadata: (any SchemaProperty)?
    ) {
        self.init(name: name, constantAt: keyPath, metadata: metadata)
    }

    public init<M: PersistentModel, V>(
        name: String, transformableConstant keyPath: KeyPath<M, V>, metadata: (any SchemaProperty)?
    ) {
        self.init(name: name, constantAt: keyPath, metadata: metadata)
    }

    @available(*, unavailable, message: "a relationship cannot be a constant; declare it 'private(set) var'")
    public init<M: PersistentModel, D: PersistentModel>(
        name: String, constant keyPath: KeyPath<M, D>, metadata: (any SchemaProperty)?
    ) {
        self.init(name: name, constantAt: keyPath, metadata: metadata)
    }

    @available(*, unavailable, message: "a relationship cannot be a constant; declare it 'private(set) var'")
    public init<M: PersistentModel, D: PersistentModel>(
        name: String, constant keyPath: KeyPath<M, D?>, metadata: (any SchemaProperty)?
    ) {
        self.init(name: name, constantAt: keyPath, metadata: metadata)
    }

    @available(*, unavailable, message: "a relationship cannot be a constant; declare it 'private(set) var'")
    public init<M: PersistentModel, D: PersistentModel>(
        name: String, constant keyPath: KeyPath<M, [D]>, metadata: (any SchemaProperty)?
    ) {
        self.init(name: name, constantAt: keyPath, metadata: metadata)
    }

    @available(*, unavailable, message: "a relationship cannot be a constant; declare it 'private(set) var'")
    public init<M: PersistentModel, D: PersistentModel>(
        name: String, constant keyPath: KeyPath<M, [D]?>, metadata: (any SchemaProperty)?
    ) {
        self.init(name: name, constantAt: keyPath, metadata: metadata)
    }

    @_disfavoredOverload
    @available(
        *, unavailable, message: "a stored property must be Codable or a model; mark it @Transient to keep it out"
    )
    public init<M: PersistentModel, V>(
        name: String, constant keyPath: KeyPath<M, V>, metadata: (any SchemaProperty)?
    ) {
        self.init(name: name, constantAt: keyPath, metadata: metadata)
    }
}
