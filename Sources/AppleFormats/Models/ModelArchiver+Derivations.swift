import Foundation
import ObjectGraph

/// The syntax tree of a derivation's text. Supports only the key paths and functions that `DerivationText` writes.
private indirect enum Derivation {
    case object
    case keyPath(String)
    case function(String, [Derivation])

    private static let depthLimit = 32

    /// - Returns: `nil` for a text that would change when it is archived and read again.
    init?(_ text: String) {
        guard let parsed = Self.parsed(text[...], depth: 0), parsed.text == text else { return nil }
        self = parsed
    }

    private static func parsed(_ text: Substring, depth: Int) -> Derivation? {
        guard depth < depthLimit, !text.isEmpty else { return nil }
        if text == "SELF" { return .object }
        guard let opening = text.firstIndex(of: "(") else {
            return isKeyPath(text) ? .keyPath(String(text)) : nil
        }
        guard text.last == ")", isSelector(text[..<opening]) else { return nil }
        var arguments: [Derivation] = []
        for part in parts(text[text.index(after: opening)...].dropLast()) {
            guard let argument = parsed(part, depth: depth + 1) else { return nil }
            arguments.append(argument)
        }
        return .function(String(text[..<opening]), arguments)
    }

    /// Splits at the commas outside of parentheses.
    private static func parts(_ text: Substring) -> [Substring] {
        guard !text.isEmpty else { return [] }
        var parts: [Substring] = []
        var (start, nesting) = (text.startIndex, 0)
        for index in text.indices {
            switch text[index] {
            case "(": nesting += 1
            case ")": nesting -= 1
            case "," where nesting == 0:
                parts.append(text[start..<index])
                start = text.index(after: index)
            default: break
            }
        }
        return (parts + [text[start...]]).map { $0.first == " " ? $0.dropFirst() : $0 }
    }

    private static func isKeyPath(_ text: Substring) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { component in
            PlainName.isValid(String(component.first == "@" ? component.dropFirst() : component))
        }
    }

    private static func isSelector(_ text: Substring) -> Bool {
        let names = text.split(separator: ":")
        return !names.isEmpty && names.allSatisfy { PlainName.isValid(String($0)) }
    }

    private var text: String {
        switch self {
        case .object: "SELF"
        case .keyPath(let path): path
        case .function(let selector, let arguments): "\(selector)(\(arguments.map(\.text).joined(separator: ", ")))"
        }
    }
}

extension ModelArchiver {
    /// Kinds of expressions, by their numbers in archives.
    private enum Kind {
        static let constant = PropertyList.integer(0)
        static let object = PropertyList.integer(1)
        static let keyPath = PropertyList.integer(3)
        static let function = PropertyList.integer(4)
        static let keyPathSpecifier = PropertyList.integer(10)
    }

    private static let kindKey = "NSExpressionType"

    /// The class that implements the functions of predicates.
    private static let functionOwner = "_NSPredicateUtilities"

    mutating func expression(_ text: String) -> PropertyList {
        guard let derivation = Derivation(text) else {
            hasGap = true
            return KeyedArchiveWriter.null
        }
        return expression(derivation)
    }

    private mutating func expression(_ derivation: Derivation) -> PropertyList {
        switch derivation {
        case .object: objectItself()
        case .keyPath(let path): keyPath(path)
        case .function(let selector, let arguments): function(selector, arguments)
        }
    }

    private mutating func objectItself() -> PropertyList {
        if let selfExpression { return selfExpression }
        let added = writer.add(.selfExpression, [Self.kindKey: Kind.object])
        selfExpression = added
        return added
    }

    private mutating func keyPath(_ path: String) -> PropertyList {
        let specifier = writer.add(
            .keyPathSpecifier, ["NSKeyPath": writer.add(path), Self.kindKey: Kind.keyPathSpecifier])
        let fields = [
            "NSOperand": objectItself(),
            "NSSelectorName": writer.add(path.contains(".") ? "valueForKeyPath:" : "valueForKey:"),
            "NSArguments": writer.add(.mutableArray, of: [specifier]), Self.kindKey: Kind.keyPath,
        ]
        return writer.add(.keyPathExpression, fields)
    }

    private mutating func function(_ selector: String, _ arguments: [Derivation]) -> PropertyList {
        let owner = writer.add(
            .constantExpression,
            ["NSConstantValueClassName": writer.add(Self.functionOwner), Self.kindKey: Kind.constant])
        let operands = arguments.map { expression($0) }
        let fields = [
            "NSOperand": owner, "NSSelectorName": writer.add(selector),
            "NSArguments": writer.add(.array, of: operands), Self.kindKey: Kind.function,
        ]
        return writer.add(.functionExpression, fields)
    }
}
