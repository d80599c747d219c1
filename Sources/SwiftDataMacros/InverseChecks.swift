import SwiftSyntax
import SwiftSyntaxMacros

/// `inverse:` belongs on one end of a relationship. On both, the compiler cannot read either before the other and tells of a
/// circular reference; where one class shows both ends, this says what to do about it.
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
