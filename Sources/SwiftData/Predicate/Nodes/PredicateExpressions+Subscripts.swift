import Foundation

/// Stored elements have no positions: only captured collections have subscripts.
extension PredicateExpressions.CollectionIndexSubscript: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        try translation.capturedElement(self)
    }
}

extension PredicateExpressions.CollectionRangeSubscript: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        try translation.capturedElement(self)
    }
}

extension PredicateExpressions.DictionaryKeySubscript: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        try translation.capturedElement(self)
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        try translation.capturedElement(self)
    }
}

extension PredicateTranslation {
    fileprivate func capturedElement<Node: PredicateExpression>(_ node: Node) throws -> PredicateOperand {
        if let constant = try? constant(node) { return constant }
        throw PredicateTranslationError.needsMemory(
            construct: Construct.name(of: Node.self), reason: "elements of a stored collection have no order or key")
    }
}
