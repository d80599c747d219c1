import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Diagnostics about the use of a macro that are based on syntax alone.
enum ModelDiagnostic {
    case notAClass(keyword: String)
    case notAnActor(keyword: String)
    case mainActorModel(String)
    case genericModel
    case privateNestedModel(String)
    case requiresInitializer(className: String, property: String)
    case implicitSuperInit
    case reservedName(String)
    case constantRelationship(String)
    case wrappedProperty(String, wrapper: String)
    case severalBindings
    case destructuring
    case secondUnique
    case needlessTransient(String)
    case transientNeedsDefault(String)
    case annotationNotPersisted(macro: String, reason: String)
    case relationshipAndAttribute
    case uniqueTransient
    case countsInverted(minimum: Int, maximum: Int)
    case inverseTwice(String, String)
    case nullifyMandatory(String, inverse: String)
    case bothWays(DeleteRuleChecks.Rule, String, inverse: String)
}

extension ModelDiagnostic: DiagnosticMessage {
    var message: String {
        switch self {
        case .notAClass(let keyword): "@Model can only be applied to a class, not to \(keyword)"
        case .notAnActor(let keyword): "@ModelActor can only be applied to an actor, not to \(keyword)"
        case .mainActorModel(let name):
            "model '\(name)' cannot be @MainActor: its PersistentModel conformance is nonisolated"
        case .genericModel: "a model class cannot be generic, because a store knows one entity per class"
        case .privateNestedModel(let name):
            "nested model '\(name)' cannot be private, because its conformances stand outside of the enclosing type"
        case .requiresInitializer(let name, let property):
            "@Model requires an initializer for '\(name)', because '\(property)' has no default value"
        case .implicitSuperInit: "an initializer of a model subclass has to call 'super.init' itself"
        case .reservedName(let name):
            "a stored property of a model cannot be named '\(name)': every model already has a member of that name"
        case .constantRelationship(let name):
            "relationship '\(name)' cannot be a constant, because deleting and linking other models changes it; declare it "
                + "'private(set) var'"
        case .wrappedProperty(let name, let wrapper):
            "stored property '\(name)' of a model cannot have the property wrapper '@\(wrapper)', because @Model gives it "
                + "accessors of its own; use a computed property over a stored one, or mark it @Transient"
        case .severalBindings: "declare each stored property of a model in a statement of its own"
        case .destructuring: "stored properties of a model cannot be declared by destructuring a tuple"
        case .secondUnique: "a model takes one #Unique; list further constraints as more arguments of the first"
        case .needlessTransient(let name): "@Transient has no effect: '\(name)' is never stored"
        case .transientNeedsDefault(let name):
            "@Transient property '\(name)' needs a default value or an optional type"
        case .annotationNotPersisted(let macro, let reason):
            "@\(macro) can only be applied to a stored property, and this declaration \(reason)"
        case .relationshipAndAttribute: "a property is either an @Attribute or a @Relationship, not both"
        case .uniqueTransient: "a @Transient property cannot be unique, because it is not in the store"
        case .countsInverted(let minimum, let maximum):
            "minimumModelCount (\(minimum)) is greater than maximumModelCount (\(maximum))"
        case .inverseTwice(let name, let inverse):
            "'\(name)' and '\(inverse)' both name each other in 'inverse:', which belongs on one of them only"
        case .nullifyMandatory(let name, let inverse):
            "deleting a model is refused while '\(name)' has others, because their '\(inverse)' must have a value; "
                + "let '\(name)' cascade, or make '\(inverse)' optional [\(code)]"
        case .bothWays(.cascade, let name, let inverse):
            "'\(name)' and its inverse '\(inverse)' both cascade: one delete deletes all linked models, directly "
                + "or through others [\(code)]"
        case .bothWays(_, let name, let inverse):
            "'\(name)' and its inverse '\(inverse)' both deny: of two linked models neither can be deleted alone "
                + "[\(code)]"
        }
    }

    var severity: DiagnosticSeverity {
        switch self {
        case .needlessTransient, .nullifyMandatory, .bothWays: .warning
        default: .error
        }
    }

    var diagnosticID: MessageID { MessageID(domain: "SwiftDataMacros", id: id) }

    /// The stable identifier of the diagnostic.
    var id: String {
        switch self {
        case .notAClass: "notAClass"
        case .notAnActor: "notAnActor"
        case .mainActorModel: "mainActorModel"
        case .genericModel: "genericModel"
        case .privateNestedModel: "privateNestedModel"
        case .requiresInitializer: "requiresInitializer"
        case .implicitSuperInit: "implicitSuperInit"
        case .reservedName: "reservedName"
        case .constantRelationship: "constantRelationship"
        case .wrappedProperty: "wrappedProperty"
        case .severalBindings: "severalBindings"
        case .destructuring: "destructuring"
        case .secondUnique: "secondUnique"
        case .needlessTransient: "needlessTransient"
        case .transientNeedsDefault: "transientNeedsDefault"
        case .annotationNotPersisted: "annotationNotPersisted"
        case .relationshipAndAttribute: "relationshipAndAttribute"
        case .uniqueTransient: "uniqueTransient"
        case .countsInverted: "countsInverted"
        case .inverseTwice: "inverseTwice"
        case .nullifyMandatory, .bothWays: code
        }
    }
}

extension ModelDiagnostic {
    /// For a warning about delete rules, the code that silences it, which is the same at run time; empty for other
    /// diagnostics.
    var code: String {
        switch self {
        case .nullifyMandatory: "nullify-mandatory"
        case .bothWays(.cascade, _, _): "cascade-both-ways"
        case .bothWays(.deny, _, _): "deny-both-ways"
        default: ""
        }
    }

    static func notAClass(_ declaration: some DeclGroupSyntax) -> Self {
        .notAClass(keyword: declaration.kindInWords)
    }

    static func notAnActor(_ declaration: some DeclGroupSyntax) -> Self {
        .notAnActor(keyword: declaration.kindInWords)
    }
}

extension DeclGroupSyntax {
    fileprivate var kindInWords: String {
        let keyword = introducer.text
        return keyword == "enum" || keyword == "actor" || keyword == "extension" ? "an \(keyword)" : "a \(keyword)"
    }
}

extension MacroExpansionContext {
    func diagnose(_ problem: ModelDiagnostic, at node: some SyntaxProtocol, fixIts: [FixIt] = []) {
        diagnose(Diagnostic(node: node, message: problem, fixIts: fixIts))
    }
}
