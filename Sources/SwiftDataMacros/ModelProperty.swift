import SwiftSyntax

/// One variable of a model class, read from syntax alone: types are never resolved here, so whether a property is
/// an attribute or a relationship stays a question for run time.
struct ModelProperty {
    /// What the model does with a variable.
    enum Kind {
        /// Kept in the store.
        case persisted
        /// Stored in the object only, as `@Transient` asks.
        case transient
        case computed
        /// `static` or `class`.
        case typeLevel
        case lazy
        /// Stored by a property wrapper, whose accessors leave no place for the model's.
        case wrapped
    }

    let declaration: VariableDeclSyntax
    let binding: PatternBindingSyntax
    let identifier: TokenSyntax
    let kind: Kind

    /// `nil` for anything but a variable that binds exactly one plain name.
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

    /// The name as the schema knows it, without backticks.
    var name: String { identifier.identifier?.name ?? identifier.text }

    /// The name as a key path or a member access spells it, with backticks where the source has them.
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

    /// Whether the spelling alone says that `nil` is a value; a type alias for an optional is not recognised.
    var isWrittenOptional: Bool {
        guard let type = binding.typeAnnotation?.type else { return false }
        if type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return true }
        return type.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
    }

    /// Whether initializers have to give the property a value; an optional variable begins with `nil`, a constant does not.
    var needsInitializer: Bool { initialValue == nil && (isConstant || !isWrittenOptional) }

    /// A persisted `let` whose value comes from an initializer: the one that the store calls reads it from the row.
    var isSetByInitializer: Bool { kind == .persisted && isConstant && initialValue == nil }

    /// Whether the spelling says that the property is an array, of elements that may be models.
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

    /// The body and parameter name of `willSet` or `didSet`, when written.
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

/// A `willSet` or `didSet` as it was written.
struct PropertyObserver {
    /// The custom parameter name, `nil` when the implicit `newValue` or `oldValue` is used.
    let parameter: TokenSyntax?
    let body: CodeBlockSyntax
}

extension VariableDeclSyntax {
    /// The attribute that must be a property wrapper, as far as its name tells: another library's macro that adds nothing but
    /// neighbours looks the same. `@_PersistedProperty`, written out, says that it is none.
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
    /// Whether the name may be that of a model, as far as the name tells.
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
    /// Observers leave a property stored; any other accessor makes it computed.
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
