import Foundation
import _StringProcessing
import ObjectGraph

/// `contains` of a text in a text, by bytes: canonically equivalent spellings are different texts.
extension PredicateExpressions.CollectionContainsCollection: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        try translation.textTest(self, .contains, base, other)
    }
}

/// `starts(with:)`
extension PredicateExpressions.SequenceStartsWith: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        try translation.textTest(self, .beginsWith, base, prefix)
    }
}

extension PredicateExpressions.StringContainsRegex: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        let expression = try translation.operand(regex)
        if expression.isConstant, try translation.operand(subject).isConstant { return try translation.constant(self) }
        guard case .constant(let pattern as PredicateExpressions.PredicateRegex) = expression,
            let whole = anywhere(pattern.stringRepresentation)
        else {
            throw PredicateTranslationError.needsMemory(
                construct: "StringContainsRegex", reason: "the regular expression is not a literal")
        }
        return .test(.text(.matches, try translation.scalar(subject), .literal(.text(whole))))
    }

}

/// The engine's test matches the whole text, Swift's any part of it.
private func anywhere(_ pattern: String) -> String? {
    let whole = "[\\s\\S]*(?:\(pattern))[\\s\\S]*"
    return (try? _StringProcessing.Regex(whole)) == nil ? nil : whole
}

extension PredicateExpressions.StringLocalizedStandardContains: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        try translation.textTest(self, .containsLocalizedStandard, root, other)
    }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        try translation.textOrder(self, .caseInsensitive, root, other)
    }
}

extension PredicateExpressions.StringLocalizedCompare: QueryTranslatable {
    func operand(in translation: PredicateTranslation) throws -> PredicateOperand {
        try translation.textOrder(self, .localized, root, other)
    }
}

extension PredicateTranslation {
    fileprivate func textTest<Node: PredicateExpression, Text: PredicateExpression, Other: PredicateExpression>(
        _ node: Node, _ test: TextTest, _ text: Text, _ other: Other
    ) throws -> PredicateOperand {
        if try operand(text).isConstant, try operand(other).isConstant { return try constant(node) }
        try requireTexts(Text.Output.self, Other.Output.self, in: Node.self)
        return .test(.text(test, try scalar(text), try scalar(other)))
    }

    fileprivate func textOrder<Node: PredicateExpression, Text: PredicateExpression, Other: PredicateExpression>(
        _ node: Node, _ order: TextOrder, _ text: Text, _ other: Other
    ) throws -> PredicateOperand {
        if try operand(text).isConstant, try operand(other).isConstant { return try constant(node) }
        try requireTexts(Text.Output.self, Other.Output.self, in: Node.self)
        return .leaves([.textOrder(order, try scalar(text), try scalar(other))], ComparisonResultCodec.codec)
    }

    private func requireTexts(_ types: any Any.Type..., in node: any Any.Type) throws {
        for type in types where type != String.self && type != Substring.self {
            throw PredicateTranslationError.needsMemory(
                construct: Construct.name(of: node), reason: "it applies to texts, not to \(type)")
        }
    }
}

/// The codec of `ComparisonResult`, which the engine's text orders return as its raw value.
private enum ComparisonResultCodec {
    static let codec: any AttributeCodec = RawEnumCodec<ComparisonResult>(raw: ScalarCodec<Int>())
}
