import Foundation

/// Trees that their own text does not say: what is read from it is another tree.
extension FormatPredicate {
    /// Whether numbers and key paths are read from the text as they are.
    package var isSaidByText: Bool {
        var isSaid = true
        forEachExpression { if !$0.isSaidByOwnText { isSaid = false } }
        return isSaid
    }
}

extension FormatExpression {
    /// As above.
    package var isSaidByText: Bool {
        var isSaid = true
        forEachExpression { if !$0.isSaidByOwnText { isSaid = false } }
        return isSaid
    }

    /// Apart from its parts.
    fileprivate var isSaidByOwnText: Bool {
        switch self {
        case .constant(let constant): constant.isSaidByText
        case .keyPath: readAgain == self
        case .keyPathOf(_, let path):
            // Whatever it starts from.
            FormatExpression.keyPathOf(.evaluatedObject, path).isReadAgain(orAs: .keyPath(path))
        default: true
        }
    }

    private var readAgain: FormatExpression? { try? ExpressionFormat(parsing: description).expression }

    private func isReadAgain(orAs other: FormatExpression) -> Bool {
        let read = readAgain
        return read == self || read == other
    }
}

extension FormatConstant {
    fileprivate var isSaidByText: Bool {
        switch self {
        case .real(let number): number.isFinite
        case .decimal(let number): number.isFinite
        case .list(let members): members.allSatisfy(\.isSaidByText)
        default: true
        }
    }
}
