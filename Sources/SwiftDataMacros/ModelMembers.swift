import SwiftSyntax
import SwiftSyntaxBuilder

/// The members that `@Model` adds to a class.
///
/// Every class of an inheritance chain has a private `_$storage` of its own: the accessors of its properties cannot
/// know whether the superclass is a model, and initial values of a subclass are set before `super.init`. The root
/// exposes its storage as `_$modelStorage`; `_$share(_:)` passes its record on to the subclasses.
///
/// The storage is exempt from run-time exclusivity checks, which would cost more than the accessor's own work. This is
/// safe, as it is only read or replaced as a whole.
struct ModelMembers {
    let model: ModelClass

    var declarations: [DeclSyntax] {
        switch model.position {
        case .root: storage + rootMembers + [schemaMetadata] + initializers + observation
        case .subclass: storage + [shareOverride, schemaMetadata] + initializers + observation
        }
    }

    private var name: String { model.name }

    private var storage: [DeclSyntax] {
        [
            "private static let _$class = SwiftData._ModelClass(\(raw: name).self)",
            """
            @exclusivity(unchecked)
            private var _$storage: SwiftData._ModelStorage = SwiftData._ModelStorage(for: \(raw: name)._$class)
            """,
        ] + slots
    }

    /// Looks up the slots of all properties together, as checking whether a global is initialized takes longer than a
    /// read.
    private var slots: [DeclSyntax] {
        let places = model.members.rendered { member in
            (stored(member) ?? constant(member)).map {
                "let _\($0.name) = SwiftData._ModelSlot(\"\($0.name)\", in: \(name).self)"
            }
        }
        if places.isEmpty { return [] }
        return [
            """
            private nonisolated struct _$Slots: Sendable {
                \(raw: places.joined(separator: "\n    "))
            }
            """,
            "private static let _$slots = _$Slots()",
        ]
    }

    /// The member's property, if it is stored in the record only.
    private func stored(_ member: DeclSyntax) -> ModelProperty? {
        ModelProperty(member).flatMap { $0.kind == .persisted && !$0.isConstant ? $0 : nil }
    }

    /// The member's property, if it is a constant that the store's initializer sets.
    private func constant(_ member: DeclSyntax) -> ModelProperty? {
        ModelProperty(member).flatMap { $0.isSetByInitializer ? $0 : nil }
    }

    private var rootMembers: [DeclSyntax] {
        let typed = "any SwiftData.BackingData<\(name)>"
        let shared: DeclSyntax = "\(raw: model.overridableAccess)func _$share(_ storage: SwiftData._ModelStorage) {}"
        let spread = model.isFinal ? "" : "\n        _$share(_$storage)"
        return [
            "\(raw: model.access)final var _$modelStorage: SwiftData._ModelStorage { _$storage }",
            """
            \(raw: model.access)final var persistentBackingData: \(raw: typed) {
                get { _$storage.backingData(for: \(raw: name).self) }
                set {
                    _$storage = SwiftData._ModelStorage(newValue)\(raw: spread)
                }
            }
            """,
        ] + (model.isFinal ? [] : [shared])
    }

    private var shareOverride: DeclSyntax {
        """
        \(raw: model.overridableAccess)override func _$share(_ storage: SwiftData._ModelStorage) {
            super._$share(storage)
            _$storage.join(storage)
        }
        """
    }

    private var schemaMetadata: DeclSyntax {
        let declarator =
            switch (model.position, model.isFinal) {
            case (.root, true): "\(model.access)static var"
            case (.root, false): "\(model.overridableAccess)class var"
            case (.subclass, _): "\(model.overridableAccess)override class var"
            }
        return """
            \(raw: declarator) schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
                \(raw: SchemaMetadata(model: model).body.joined(separator: "\n    "))
            }
            """
    }

    private var observation: [DeclSyntax] {
        [
            """
            internal nonisolated func access<_M>(keyPath: KeyPath<\(raw: name), _M>) {
                _$storage.borrowed.access(self, keyPath)
            }
            """,
            """
            internal nonisolated func withMutation<_M, _MR>(
                keyPath: KeyPath<\(raw: name), _M>, _ mutation: () throws -> _MR
            ) rethrows -> _MR {
                try _$storage.withMutation(self, keyPath, mutation)
            }
            """,
        ]
    }
}

extension ModelMembers {
    /// A subclass that declares no initializer inherits all of them, including `init(backingData:)`. Generating one
    /// would remove the others.
    private var initializers: [DeclSyntax] {
        let isDeclared = model.hasDesignatedInitializer
        let isStoresDeclared = model.hasMember { $0.as(InitializerDeclSyntax.self)?.isBackingDataInitializer == true }
        switch model.position {
        case .root:
            let needsValues = model.hasMember { ModelProperty($0)?.blocksPlainInit == true }
            return declared(rootBackingDataInitializer, when: !isStoresDeclared)
                + declared(plainInitializer, when: !isDeclared && !needsValues)
        case .subclass:
            return declared(subclassBackingDataInitializer, when: isDeclared && !isStoresDeclared)
        }
    }

    private func declared(_ declaration: DeclSyntax, when condition: BuildCondition) -> [DeclSyntax] {
        switch condition {
        case .always: [declaration]
        case .never: []
        case .when(let text): ["#if \(raw: text)\n\(declaration)\n#endif"]
        }
    }

    private var plainInitializer: DeclSyntax { "init() { _$storage.borrowed.adopt(self) }" }

    private var rootBackingDataInitializer: DeclSyntax {
        let required = model.isFinal ? "" : "required "
        let spread = model.isFinal ? [] : ["_$share(_$storage)"]
        let body = emptied + ["_$storage = SwiftData._ModelStorage(backingData)"] + constants + spread
        return """
            \(raw: model.access)\(raw: required)init(backingData: any SwiftData.BackingData<\(raw: name)>) {
                \(raw: body.joined(separator: "\n    "))
            }
            """
    }

    private var subclassBackingDataInitializer: DeclSyntax {
        let body =
            emptied + ["_$storage = SwiftData._ModelStorage(backingData)"] + constants
            + ["super.init(backingData: backingData)"]
        return """
            \(raw: model.access)required init(backingData: any SwiftData.BackingData<Root>) {
                \(raw: body.joined(separator: "\n    "))
            }
            """
    }

    /// The values come with the backing data, so placeholders are set without evaluating default values.
    private var emptied: [String] {
        model.members.rendered { stored($0).map { "_\($0.name) = SwiftData._NoStorage()" } }
    }

    /// A constant is stored in the object, so its value must be known when the object is created: the row is read for
    /// it.
    private var constants: [String] {
        model.members.rendered { member in
            constant(member).map { property in
                let calls = property.isTransformable ? "getTransformable" : property.isCodable ? "getCodable" : "get"
                return "self.\(property.reference) = _$storage.borrowed.\(calls)(\(name)._$slots._\(property.name))"
            }
        }
    }
}

extension ModelProperty {
    /// Whether a class with this property and no initializer cannot be created.
    var blocksPlainInit: Bool {
        switch kind {
        case .persisted, .transient: needsInitializer
        case .computed, .typeLevel, .lazy, .wrapped: false
        }
    }
}
