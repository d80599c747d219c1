extension Schema {
    /// The description of one persisted property of a model class. The `@Model` macro writes these.
    ///
    /// A declaration about several properties (`#Index`, `#Unique`) is also one of these; its key path is not used.
    public struct PropertyMetadata {
        let name: String
        let keypath: AnyKeyPath
        /// The property's initial value in the class, or `nil` for none. The initial models of a relationship are not
        /// values of a schema: a relationship back to this class would create models endlessly.
        let defaultValue: Any?
        /// The content of the property's annotation, or `nil` for none.
        let metadata: (any SchemaProperty)?
        /// The codes of delete rule warnings that a comment at the property silences.
        let silencedWarnings: [String]
        /// Whether the property is a `let` without a value in its declaration, which the initializer for rows sets.
        let isSetByInitializer: Bool

        /// Creates the description of a property.
        /// - Parameters:
        ///   - name: The name of the property.
        ///   - keypath: The key path of the property.
        ///   - defaultValue: The initial value; `nil` for none.
        ///   - metadata: The content of the property's annotation; `nil` for none.
        public init(
            name: String, keypath: AnyKeyPath, defaultValue: @autoclosure () -> Any? = nil,
            metadata: (any SchemaProperty)? = nil
        ) {
            self.init(name: name, keypath: keypath, defaultValue: defaultValue(), metadata: metadata, silencing: [])
        }

        /// Creates the description of a property with a comment `openswiftdata:silence`.
        /// - Parameters:
        ///   - name: The name of the property.
        ///   - keypath: The key path of the property.
        ///   - defaultValue: The initial value; `nil` for none.
        ///   - metadata: The content of the property's annotation; `nil` for none.
        ///   - silencedWarnings: The codes that the comment silences.
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

        /// Marks a class whose initial values may create models while the store creates one of it. For generated code.
        public static var _makesObjects: PropertyMetadata {
            PropertyMetadata(name: makesObjectsName, keypath: \Schema.encodingVersion)
        }

        private static let makesObjectsName = "SwiftData._makesObjects"

        var saysThatObjectsAreMade: Bool { name == Self.makesObjectsName }
    }
}

// For a `let` that initializers set. Types that a constant cannot have are refused here, once, where the type is known.
extension Schema.PropertyMetadata {
    /// Creates the description of a constant attribute that initializers set. For generated code.
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - keyPath: The key path of the property.
    ///   - metadata: The content of the property's annotation; `nil` for none.
    @_disfavoredOverload
    public init<M: PersistentModel, V: Codable>(
        name: String, constant keyPath: KeyPath<M, V>, metadata: (any SchemaProperty)?
    ) {
        self.init(name: name, constantAt: keyPath, metadata: metadata)
    }

    // `Character` is not Codable.
    /// Creates the description of a constant character attribute that initializers set. For generated code.
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - keyPath: The key path of the property.
    ///   - metadata: The content of the property's annotation; `nil` for none.
    public init<M: PersistentModel>(
        name: String, constant keyPath: KeyPath<M, Character>, metadata: (any SchemaProperty)?
    ) {
        self.init(name: name, constantAt: keyPath, metadata: metadata)
    }

    /// Creates the description of an optional constant character attribute that initializers set. For generated code.
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - keyPath: The key path of the property.
    ///   - metadata: The content of the property's annotation; `nil` for none.
    public init<M: PersistentModel>(
        name: String, constant keyPath: KeyPath<M, Character?>, metadata: (any SchemaProperty)?
    ) {
        self.init(name: name, constantAt: keyPath, metadata: metadata)
    }

    /// Creates the description of a constant attribute with a value transformer that initializers set. For generated code.
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - keyPath: The key path of the property.
    ///   - metadata: The content of the property's annotation; `nil` for none.
    public init<M: PersistentModel, V>(
        name: String, transformableConstant keyPath: KeyPath<M, V>, metadata: (any SchemaProperty)?
    ) {
        self.init(name: name, constantAt: keyPath, metadata: metadata)
    }

    /// Unavailable: a relationship cannot be a constant.
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - keyPath: The key path of the property.
    ///   - metadata: The content of the property's annotation; `nil` for none.
    @available(*, unavailable, message: "a relationship cannot be a constant; declare it 'private(set) var'")
    public init<M: PersistentModel, D: PersistentModel>(
        name: String, constant keyPath: KeyPath<M, D>, metadata: (any SchemaProperty)?
    ) {
        self.init(name: name, constantAt: keyPath, metadata: metadata)
    }

    /// Unavailable: an optional relationship cannot be a constant.
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - keyPath: The key path of the property.
    ///   - metadata: The content of the property's annotation; `nil` for none.
    @available(*, unavailable, message: "a relationship cannot be a constant; declare it 'private(set) var'")
    public init<M: PersistentModel, D: PersistentModel>(
        name: String, constant keyPath: KeyPath<M, D?>, metadata: (any SchemaProperty)?
    ) {
        self.init(name: name, constantAt: keyPath, metadata: metadata)
    }

    /// Unavailable: a to-many relationship cannot be a constant.
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - keyPath: The key path of the property.
    ///   - metadata: The content of the property's annotation; `nil` for none.
    @available(*, unavailable, message: "a relationship cannot be a constant; declare it 'private(set) var'")
    public init<M: PersistentModel, D: PersistentModel>(
        name: String, constant keyPath: KeyPath<M, [D]>, metadata: (any SchemaProperty)?
    ) {
        self.init(name: name, constantAt: keyPath, metadata: metadata)
    }

    /// Unavailable: an optional to-many relationship cannot be a constant.
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - keyPath: The key path of the property.
    ///   - metadata: The content of the property's annotation; `nil` for none.
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
    /// Unavailable: the type of the constant cannot be stored.
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - keyPath: The key path of the property.
    ///   - metadata: The content of the property's annotation; `nil` for none.
    public init<M: PersistentModel, V>(
        name: String, constant keyPath: KeyPath<M, V>, metadata: (any SchemaProperty)?
    ) {
        self.init(name: name, constantAt: keyPath, metadata: metadata)
    }
}
