import SwiftSyntax
import SwiftSyntaxMacros

/// Checks that only one end of a relationship has `inverse:`. With both, the compiler cannot resolve either before the
/// other and reports a circular reference. If both ends are in one class, this diagnostic says what to change.
struct InverseChecks {
    let ends: RelationshipEnds

    func report(in context: some MacroExpansionContext) {
        var known: Set<String> = []
        for end in ends.all {
            defer { known.insert(end.name) }
            guard let name = ends.inverseName(of: end), known.contains(name), let first = ends.end(named: name),
                ends.inverseName(of: first) == end.name, let annotation = end.annotation
            else { continue }
            context.diagnose(.inverseTwice(name, end.name), at: annotation)
        }
    }
}
