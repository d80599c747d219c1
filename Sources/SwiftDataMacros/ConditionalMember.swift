import SwiftIfConfig
import SwiftSyntax

/// A member of a class, with the condition under which it is compiled.
struct ConditionalMember {
    let declaration: DeclSyntax
    let condition: BuildCondition
}

extension MemberBlockItemListSyntax {
    /// Returns every member that may be compiled, including those in `#if` clauses.
    ///
    /// - Parameter build: `nil` if the compiler does not provide it. It never says which modules can be imported.
    func conditional(
        in build: (any BuildConfiguration)?, when outer: BuildCondition = .always
    ) -> [ConditionalMember] {
        flatMap { item -> [ConditionalMember] in
            guard let directive = item.decl.as(IfConfigDeclSyntax.self) else {
                return [ConditionalMember(declaration: item.decl, condition: outer)]
            }
            return directive.conditions(in: build).flatMap { clause, condition in
                clause.memberItems?.conditional(in: build, when: outer && condition) ?? []
            }
        }
    }
}

extension IfConfigDeclSyntax {
    /// The clauses that may be compiled. At most one of them is.
    fileprivate func conditions(
        in build: (any BuildConfiguration)?
    ) -> [(clause: IfConfigClauseSyntax, condition: BuildCondition)] {
        if let build {
            let (active, diagnostics) = activeClause(in: build)
            // A condition that cannot be evaluated counts as false there, with an error.
            if !diagnostics.contains(where: { $0.diagMessage.severity == .error }) {
                return active.map { [($0, .always)] } ?? []
            }
        }
        var none = BuildCondition.always
        return clauses.map { clause in
            let own = clause.condition.map { BuildCondition.when($0.trimmedDescription) } ?? .always
            defer { none = none && !own }
            return (clause, none && own)
        }
    }
}
