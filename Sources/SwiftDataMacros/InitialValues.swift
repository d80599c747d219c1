import SwiftSyntax

/// Determines which initial values are evaluated while the store creates an object, and whether they may create objects
/// themselves.
///
/// The classes of an object created for a row receive its record one after the other, when they request it. An object
/// created by an initial value meanwhile may request it as well. If this is possible, the record is not handed out on
/// request; instead, `init(backingData:)` passes it on afterwards.
struct InitialValues {
    let model: ModelClass

    var mayMakeObjects: Bool {
        model.possibleProperties.contains { property in
            guard runsForRows(property) else { return false }
            return property.declaration.wrapper != nil || property.initialValue.map(Self.mayMakeObjects) == true
        }
    }

    /// The initial values of persisted properties are replaced by placeholders, except in a class that inherits its
    /// initializers.
    private func runsForRows(_ property: ModelProperty) -> Bool {
        switch property.kind {
        case .transient: true
        case .persisted: property.isConstant || inheritsInitializers
        case .wrapped: true
        case .computed, .typeLevel, .lazy: false
        }
    }

    /// True if it cannot be determined.
    private var inheritsInitializers: Bool {
        model.position == .subclass && model.hasDesignatedInitializer != .always
    }

    /// Literals create no objects; any expression that runs code may.
    private static func mayMakeObjects(_ value: ExprSyntax) -> Bool {
        if value.is(IntegerLiteralExprSyntax.self) || value.is(FloatLiteralExprSyntax.self)
            || value.is(BooleanLiteralExprSyntax.self) || value.is(NilLiteralExprSyntax.self)
            || value.is(SimpleStringLiteralExprSyntax.self)
        {
            return false
        }
        if let text = value.as(StringLiteralExprSyntax.self) {
            return text.segments.contains { $0.is(ExpressionSegmentSyntax.self) }
        }
        if let negative = value.as(PrefixOperatorExprSyntax.self) { return mayMakeObjects(negative.expression) }
        if let array = value.as(ArrayExprSyntax.self) {
            return array.elements.contains { mayMakeObjects($0.expression) }
        }
        if let dictionary = value.as(DictionaryExprSyntax.self) {
            guard case .elements(let elements) = dictionary.content else { return false }
            return elements.contains { mayMakeObjects($0.key) || mayMakeObjects($0.value) }
        }
        return value.as(FunctionCallExprSyntax.self).map { !makesPlainValue($0) } ?? true
    }

    /// Whether the call is `[Int]()`, `UUID()` or similar.
    private static func makesPlainValue(_ call: FunctionCallExprSyntax) -> Bool {
        guard call.arguments.isEmpty, call.trailingClosure == nil else { return false }
        let callee = call.calledExpression
        if callee.is(ArrayExprSyntax.self) || callee.is(DictionaryExprSyntax.self) { return true }
        let type = callee.as(GenericSpecializationExprSyntax.self)?.expression ?? callee
        return plainTypes.contains(type.trimmedDescription)
    }

    private static let plainTypes: Set<String> = [
        "UUID", "Date", "Data", "String", "Int", "Double", "Bool", "Set", "Array", "Dictionary",
    ]
}
