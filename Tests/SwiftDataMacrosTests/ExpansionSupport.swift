import SwiftDiagnostics
import SwiftIfConfig
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import SwiftDataMacros

/// The macros under their names. `@Model` in the two situations of a compiler.
enum Macros {
    static let conformances: [TypeSyntax] = ["Observable", "PersistentModel", "Sendable"]

    static let model = ["Model": MacroSpec(type: PersistentModelMacro.self, conformances: conformances)]
    static let submodel = ["Model": MacroSpec(type: PersistentModelMacro.self)]
    static let property = ["_PersistedProperty": MacroSpec(type: PersistedPropertyMacro.self)]
    static let transformable = [
        "_TransformablePersistedProperty": MacroSpec(type: TransformablePersistedPropertyMacro.self)
    ]
    static let initializer = ["_ModelInitializer": MacroSpec(type: ModelInitializerMacro.self)]
    static let annotations = [
        "Attribute": MacroSpec(type: AttributePropertyMacro.self),
        "Relationship": MacroSpec(type: RelationshipPropertyMacro.self),
        "Transient": MacroSpec(type: TransientPropertyMacro.self),
    ]
    static let constraints = [
        "Unique": MacroSpec(type: UniqueConstraintsMacro.self), "Index": MacroSpec(type: IndexMacro.self),
    ]
    static let modelActor = [
        "ModelActor": MacroSpec(type: PersistentModelActorMacro.self, conformances: ["ModelActor"])
    ]
}

/// Compares a whole expansion.
func expectExpansion(
    of source: String, is expected: String, _ macros: [String: MacroSpec],
    location: Testing.SourceLocation = #_sourceLocation
) {
    assertMacroExpansion(
        source, expandedSource: expected, macroSpecs: macros,
        failureHandler: { Issue.record("\($0.message)", sourceLocation: location) })
}

/// The text of a whole expansion without indentation, for tests that look for single members.
func expansion(
    of source: String, _ macros: [String: MacroSpec], in build: StaticBuildConfiguration? = nil
) -> String {
    let (expanded, _) = Expansion.run(source, macros, build)
    return expanded.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
}

/// The diagnostics of a use of the macros, as `line:column severity id`.
func problems(
    in source: String, _ macros: [String: MacroSpec], in build: StaticBuildConfiguration? = nil
) -> [String] {
    let (_, context) = Expansion.run(source, macros, build)
    return context.diagnostics.map { problem in
        let place = context.location(for: problem.position, anchoredAt: problem.node, fileName: "")
        let id = (problem.diagMessage as? ModelDiagnostic)?.id ?? problem.message
        return "\(place.line):\(place.column) \(problem.diagMessage.severity) \(id)"
    }
}

/// The source after the only fix-it of the only problem.
func repaired(_ source: String, _ macros: [String: MacroSpec]) throws -> String {
    let (_, context) = Expansion.run(source, macros)
    let problem = try #require(context.diagnostics.first)
    let fixIt = try #require(problem.fixIts.first)
    #expect(context.diagnostics.count == 1 && problem.fixIts.count == 1)
    var result = source
    for case .replace(let old, let new) in fixIt.changes {
        let range = try #require(result.firstRange(of: old.description))
        result.replaceSubrange(range, with: new.description)
    }
    return result
}

private enum Expansion {
    /// - Parameter build: the build as a compiler reports it; `nil` for a compiler that does not.
    static func run(
        _ source: String, _ macros: [String: MacroSpec], _ build: StaticBuildConfiguration? = nil
    ) -> (String, BasicMacroExpansionContext) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "TestModule", fullFilePath: "test.swift")], buildConfiguration: build)
        let expanded = file.expand(macroSpecs: macros) { syntax in
            BasicMacroExpansionContext(sharingWith: context, lexicalContext: syntax.allMacroLexicalContexts())
        }
        return (expanded.description, context)
    }
}
