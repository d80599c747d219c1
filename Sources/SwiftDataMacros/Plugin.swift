import SwiftCompilerPlugin
import SwiftSyntaxMacros
import SwiftSyntaxBuilder
import SwiftDiagnostics

@main
struct SwiftDataMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = []
}
