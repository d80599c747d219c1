import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The accessors and the hidden peers of one persisted property.
///
/// `willSet` and `didSet` would be lost when a macro adds accessors, so the setter runs their bodies around the storage
/// call. As in plain Swift, they do not run during initialization, nor for values that they assign themselves.
struct PersistedAccessors {
    /// The family of storage calls that the accessors use.
    enum Calls: String {
        case plain = ""
        case transformable = "Transformable"
        case codable = "Codable"
    }

    let property: ModelProperty
    let className: String
    let calls: Calls
    let context: any MacroExpansionContext

    /// `nil` if the declaration cannot be persisted; `@Model` then reports it.
    init?(_ declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext, calls: Calls) {
        guard let property = ModelProperty(declaration), let className = context.enclosingClassName else { return nil }
        self.property = property
        self.className = className
        self.calls = calls == .plain && property.isCodable ? .codable : calls
        self.context = context
    }

    var accessors: [AccessorDeclSyntax] {
        [
            """
            @storageRestrictions(accesses: _$storage, initializes: \(raw: placeholder))
            init(initialValue) {
                _$storage.initialize\(raw: calls.rawValue)(\(raw: slot), initialValue)
                \(raw: placeholder) = SwiftData._NoStorage()
            }
            """,
            """
            get {
                let _$current = _$storage.borrowed
                _$current.access(self, \\.\(raw: property.reference))
                return _$current.get\(raw: calls.rawValue)(\(raw: slot))
            }
            """,
            "set {\n\(raw: setter.joined(separator: "\n"))\n}",
        ] + (isEditedInPlace ? [modify] : [])
    }

    /// Whether a list that may be a relationship is modified in place, so that the cost of adding one model does not
    /// depend on the number of others.
    private var isEditedInPlace: Bool {
        calls == .plain && property.isWrittenModelList && property.observer(.willSet) == nil
            && property.observer(.didSet) == nil
    }

    private var modify: AccessorDeclSyntax {
        """
        _modify {
            let _$current = _$storage.borrowed
            _$current.access(self, \\.\(raw: property.reference))
            var _$edit = _$current.beginEdit(\(raw: slot), of: self, \\.\(raw: property.reference))
            defer { _$edit.end() }
            yield &_$edit.value
        }
        """
    }

    var peers: [DeclSyntax] {
        let empty = property.needsInitializer ? "" : " = SwiftData._NoStorage()"
        return [
            """
            private var \(raw: placeholder): SwiftData._NoStorage\(raw: empty)
            """
        ]
    }

    private var placeholder: String { "_\(property.name)" }

    private var slot: String { "\(className)._$slots.\(placeholder)" }

    private var storageCall: String {
        "_$storage.borrowed.set\(calls.rawValue)(\(slot), newValue, of: self, \\.\(property.reference))"
    }

    private var setter: [String] {
        let willSet = property.observer(.willSet)
        let didSet = property.observer(.didSet)
        if willSet == nil, didSet == nil { return ["    \(storageCall)"] }
        let before = willSet.map { run($0, as: "_$willSet", implicit: "newValue", value: "newValue") } ?? []
        let after = didSet.map { run($0, as: "_$didSet", implicit: "oldValue", value: "_$oldValue") } ?? []
        let old = didSet?.mentionsOldValue == true ? ["    let _$oldValue = self.\(property.reference)"] : []
        let guarded = [
            "    guard _$storage.beginObserving(\(slot)) else {",
            "        \(storageCall)",
            "        return",
            "    }",
            "    defer { _$storage.endObserving(\(slot)) }",
        ]
        return guarded + old + before + ["    \(storageCall)"] + after
    }

    /// Puts the body into a nested function, so that a `return` leaves the observer and not the setter.
    private func run(_ observer: PropertyObserver, as function: String, implicit: String, value: String) -> [String] {
        let parameter = observer.parameter?.text ?? implicit
        let named = parameter == value || !observer.mentions(parameter) ? [] : ["        let \(parameter) = \(value)"]
        let statements = observer.body.statements
        let body = statements.mapped(to: context, emitting: Array(statements))
        return ["    func \(function)() {"] + named + body + ["    }", "    \(function)()"]
    }
}

extension PropertyObserver {
    /// An observer that does not use the old value does not make the setter read it.
    fileprivate var mentionsOldValue: Bool { mentions(parameter?.text ?? "oldValue") }

    fileprivate func mentions(_ name: String) -> Bool {
        body.statements.tokens(viewMode: .sourceAccurate).contains { $0.text == name }
    }
}
