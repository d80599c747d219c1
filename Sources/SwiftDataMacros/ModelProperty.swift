import SwiftSyntax

/// One variable of a model class, based on syntax alone. Types are not resolved, so whether a property is an attribute
/// or a relationship is decided at run time.
struct ModelProperty {
    /// How the model treats a variable.
    enum Kind {
        /// Stored in the store.
        case persisted
        /// Stored in the object only, because of `@Transient`.
        case transient
        case computed
        /// `static` or `class`.
        case typeLevel
        case lazy
        /// Stored by a property wrapper, whose accessors leave no room for the model's.
        case wrapped
    }

    let declaration: VariableDeclSyntax
    let binding: PatternBindingSyntax
    let identifier: TokenSyntax
    let kind: Kind

    /// `nil` unless the declaration is a variable with exactly one plain name.
    init?(_ declaration: some DeclSyntaxProtocol) {
        guard let variable = declaration.as(VariableDeclSyntax.self), variable.bindings.count == 1,
            let binding = variable.bindings.first,
            let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
        else { return nil }
        self.declaration = variable
        self.binding = binding
        identifier = pattern.identifier.trimmed
        kind = Self.kind(of: variable, binding)
    }

    /// The name in the schema, without backticks.
    var name: String { identifier.identifier?.name ?? identifier.text }

    /// The name in key paths and member accesses, with backticks as in the source.
    var reference: String { identifier.text }

    var isConstant: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.let) }

    var initialValue: ExprSyntax? { binding.initializer?.value.trimmed }

    /// The written type, with `T!` as `T?`, because an implicitly unwrapped type may not follow `as`.
    var annotatedType: TypeSyntax? {
        guard let type = binding.typeAnnotation?.type.trimmed else { return nil }
        if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return "\(unwrapped.wrappedType)?"
        }
        return type
    }

    /// Whether the type is written as an optional. A type alias for an optional is not recognized.
    var isWrittenOptional: Bool {
        guard let type = binding.typeAnnotation?.type else { return false }
        if type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return true }
        return type.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
    }

    /// Whether initializers must set the property. An optional variable starts with `nil`, a constant does not.
    var needsInitializer: Bool { initialValue == nil && (isConstant || !isWrittenOptional) }

    /// A persisted `let` set by initializers; the store's initializer sets it from the row.
    var isSetByInitializer: Bool { kind == .persisted && isConstant && initialValue == nil }

    /// Whether the type is written as an array whose elements may be models.
    var isWrittenModelList: Bool {
        var type = annotatedType
        if let optional = type?.as(OptionalTypeSyntax.self) { type = optional.wrappedType }
        if let list = type?.as(ArrayTypeSyntax.self) { return list.element.mayBeModel }
        guard type == nil, let call = initialValue?.as(FunctionCallExprSyntax.self), call.arguments.isEmpty,
            let list = call.calledExpression.as(ArrayExprSyntax.self), list.elements.count == 1
        else { return false }
        return list.elements.first?.expression.as(DeclReferenceExprSyntax.self).map {
            !TypeSyntax.plainNames.contains($0.baseName.text)
        } ?? false
    }

    var isTransformable: Bool {
        declaration.attributes.attribute(named: "Attribute")?.mentionsOption("transformable") ?? false
    }

    /// Whether the property's own coding is stored.
    var isCodable: Bool {
        declaration.attributes.attribute(named: "Attribute")?.mentionsOption("codable") ?? false
    }

    /// The body and parameter name of a written `willSet` or `didSet`.
    func observer(_ keyword: Keyword) -> PropertyObserver? {
        guard case .accessors(let accessors) = binding.accessorBlock?.accessors else { return nil }
        for accessor in accessors where accessor.accessorSpecifier.tokenKind == .keyword(keyword) {
            guard let body = accessor.body else { continue }
            return PropertyObserver(parameter: accessor.parameters?.name.trimmed, body: body)
        }
        return nil
    }

    private static func kind(of variable: VariableDeclSyntax, _ binding: PatternBindingSyntax) -> Kind {
        if variable.modifiers.contains(.static) || variable.modifiers.contains(.class) { return .typeLevel }
        if variable.modifiers.contains(.lazy) { return .lazy }
        if binding.isComputed { return .computed }
        if variable.attributes.attribute(named: "Transient") != nil { return .transient }
        return variable.wrapper == nil ? .persisted : .wrapped
    }
}

/// A `willSet` or `didSet` as written.
struct PropertyObserver {
    /// The custom parameter name; `nil` for the implicit `newValue` or `oldValue`.
    let parameter: TokenSyntax?
    let body: CodeBlockSyntax
}

extension VariableDeclSyntax {
    /// The attribute that must be a property wrapper, judging by its name. A macro of another library that adds only
    /// peers looks the same; writing `@_PersistedProperty` out excludes a wrapper.
    var wrapper: AttributeSyntax? {
        if attributes.attribute(named: "_PersistedProperty") != nil { return nil }
        for case .attribute(let attribute) in attributes where attribute.mayBeWrapper { return attribute }
        return nil
    }
}

extension AttributeSyntax {
    fileprivate var mayBeWrapper: Bool {
        guard let name = attributeName.lastName, name.first?.isUppercase == true else { return false }
        let known = ["Transient", "Attribute", "Relationship", "ObservationIgnored"]
        return !known.contains(name) && !name.hasSuffix("Actor")
    }
}

extension TypeSyntax {
    /// Whether the type may be a model, judging by its name.
    fileprivate var mayBeModel: Bool {
        if self.is(MemberTypeSyntax.self) { return true }
        guard let name = self.as(IdentifierTypeSyntax.self) else { return false }
        return name.genericArgumentClause == nil && !Self.plainNames.contains(name.name.text)
    }

    fileprivate static let plainNames: Set<String> = [
        "String", "Substring", "Character", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16",
        "UInt32", "UInt64", "Double", "Float", "Bool", "Date", "Data", "UUID", "URL", "Decimal",
    ]
}

extension PatternBindingSyntax {
    /// Whether an accessor makes the property computed; observers leave it stored.
    var isComputed: Bool {
        switch accessorBlock?.accessors {
        case nil: false
        case .getter: true
        case .accessors(let accessors):
            !accessors.allSatisfy {
                [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
            }
        }
    }
}
