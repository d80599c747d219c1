import ObjectGraph

/// Parses values without infix operators.
extension FormatParser {
    mutating func primary() throws(FormatError) -> Node {
        let start = start
        switch token {
        case .number(let constant):
            try advance()
            return try node(.constant(constant), from: start)
        case .text(let text):
            try advance()
            return try node(.constant(.text(text)), from: start)
        case .variable(let name): return try variable(name)
        case .collectionOperator:
            return try node(.keyPath(try operatorPath()), from: start)
        case .placeholder(let placeholder, let number): return try argument(placeholder, number)
        case .symbol(.leftParenthesis):
            try advance()
            var inner = try nested { (parser) throws(FormatError) in try parser.disjunction() }
            try expect(.rightParenthesis)
            inner.start = start
            return inner
        case .symbol(.leftBrace):
            try advance()
            let parts = try list(until: .rightBrace)
            return try node(.aggregate(try expressions(parts)), over: parts, from: start)
        case .word(let word, let isEscaped): return try self.word(word, isEscaped: isEscaped)
        case .symbol, .end: throw unexpected("a value")
        }
    }

    private mutating func word(_ word: String, isEscaped: Bool) throws(FormatError) -> Node {
        let start = start
        try advance()
        if !isEscaped, let keyword = FormatKeyword(word), !keyword.isCall || token == .symbol(.leftParenthesis) {
            return try self.keyword(keyword, from: start)
        }
        if !isEscaped, token == .symbol(.leftParenthesis) { return try function(word, from: start) }
        if word.utf8.contains(UInt8(ascii: ":")) { throw unexpected("'(' after the name of a function") }
        return try node(.keyPath(word), from: start)
    }

    /// Parses a value that begins with a keyword, which has already been read.
    private mutating func keyword(_ keyword: FormatKeyword, from start: Int) throws(FormatError) -> Node {
        switch keyword {
        case .null, .nothing: return try node(.constant(.null), from: start)
        case .isTrue, .yes: return try node(.constant(.boolean(true)), from: start)
        case .isFalse, .no: return try node(.constant(.boolean(false)), from: start)
        case .itself: return try node(.evaluatedObject, from: start)
        case .anykey: return try node(.anyKey, from: start)
        case .truepredicate: return try node(FormatPredicate.constant(true), over: [], from: start)
        case .falsepredicate: return try node(FormatPredicate.constant(false), over: [], from: start)
        case .subquery: return try subquery(from: start)
        case .cast: return try cast(from: start)
        case .ternary: return try conditional(from: start)
        case .function: return try call(from: start)
        case .fetch: return try fetch(from: start)
        default:
            let word = keyword.rawValue.uppercased()
            throw error(
                .unexpected(found: "'\(word)'", expected: "a value (write #\(word) for a property of that name)"),
                at: start)
        }
    }

    /// Parses `$name`, or `$name := value`.
    private mutating func variable(_ name: String) throws(FormatError) -> Node {
        let start = start
        try advance()
        guard try take(.assign) else { return try node(.variable(name), from: start) }
        let value = try nested { (parser) throws(FormatError) in try parser.calculation() }
        return try node(.assignment(name, try expression(value)), over: [value], from: start)
    }

    /// Reads the operator of a key path that begins with one, such as `@sum.items.price`. The caller appends the rest.
    private mutating func operatorPath() throws(FormatError) -> String {
        guard case .collectionOperator(let word) = token else { throw unexpected("a name") }
        try advance()
        return "@" + word
    }

    // MARK: Arguments

    private mutating func argument(_ placeholder: FormatPlaceholder, _ given: Int?) throws(FormatError) -> Node {
        let start = start
        if placeholder == .keyPath { return try node(.keyPath(try keyPathArgument(given)), from: start) }
        let (argument, number) = try argument(given)
        switch (argument, placeholder) {
        case (.expression(let expression), .object):
            try advance()
            return try node(expression, from: start)
        case (.predicate(let predicate), .object):
            try advance()
            return try node(predicate, over: [], from: start)
        case (.constant(let constant), _):
            guard let value = constant.argument(for: placeholder) else {
                throw error(.wrongArgument(number, expected: placeholder.wanted))
            }
            try advance()
            return try node(.constant(value), from: start)
        case (.expression, _), (.predicate, _):
            throw error(.wrongArgument(number, expected: placeholder.wanted))
        }
    }

    /// Reads the key path of `%K`.
    mutating func keyPathArgument(_ given: Int?) throws(FormatError) -> String {
        let (argument, number) = try argument(given)
        guard case .constant(.text(let path)) = argument, !path.isEmpty else {
            throw error(.wrongArgument(number, expected: "a key path as text"))
        }
        try advance()
        return path
    }

    // MARK: Lists

    /// Reads values separated by commas, up to the closing symbol.
    private mutating func list(until end: FormatSymbol) throws(FormatError) -> [Node] {
        var parts: [Node] = []
        if try take(end) { return parts }
        repeat {
            parts.append(try nested { (parser) throws(FormatError) in try parser.disjunction() })
        } while try take(.comma)
        try expect(end)
        return parts
    }

    private func expressions(_ nodes: [Node]) throws(FormatError) -> [FormatExpression] {
        var expressions: [FormatExpression] = []
        expressions.reserveCapacity(nodes.count)
        for node in nodes { expressions.append(try expression(node)) }
        return expressions
    }

    // MARK: Calls

    private mutating func function(_ name: String, from start: Int) throws(FormatError) -> Node {
        try expect(.leftParenthesis)
        let parts = try list(until: .rightParenthesis)
        let arguments = try expressions(parts)
        if name.lowercased() == "castobject:totype:" {
            guard arguments.count == 2, case .constant(.text(let type)) = arguments[1] else {
                throw error(.wrongArgumentCount(function: name, expected: 2, found: parts.count), at: start)
            }
            return try node(.cast(arguments[0], type: type), over: parts, from: start)
        }
        guard let function = FormatFunction(name: name) else { throw error(.unknownFunction(name), at: start) }
        if let arity = function.arity, arity != parts.count {
            throw error(.wrongArgumentCount(function: name, expected: arity, found: parts.count), at: start)
        }
        return try node(.function(function, arguments), over: parts, from: start)
    }

    private mutating func subquery(from start: Int) throws(FormatError) -> Node {
        try expect(.leftParenthesis)
        let collection = try nested { (parser) throws(FormatError) in try parser.calculation() }
        try expect(.comma)
        guard case .variable(let name) = token else { throw unexpected("a variable such as $x") }
        try advance()
        try expect(.comma)
        let condition = try nested { (parser) throws(FormatError) in try parser.disjunction() }
        try expect(.rightParenthesis)
        let subquery = FormatExpression.subquery(
            try expression(collection), variable: name, try predicate(condition))
        return try node(subquery, over: [collection, condition], from: start)
    }

    private mutating func cast(from start: Int) throws(FormatError) -> Node {
        try expect(.leftParenthesis)
        let parts = try list(until: .rightParenthesis)
        guard parts.count == 2, let value = parts.first,
            case .expression(.constant(.text(let type)))? = parts.last?.content
        else { throw error(.wrongArgumentCount(function: "CAST", expected: 2, found: parts.count), at: start) }
        let inner = try expression(value)
        if case .constant(let constant) = inner, let literal = FormatCast.literal(constant, type) {
            return try node(.constant(literal), over: parts, from: start)
        }
        return try node(.cast(inner, type: type), over: parts, from: start)
    }

    private mutating func conditional(from start: Int) throws(FormatError) -> Node {
        try expect(.leftParenthesis)
        let parts = try list(until: .rightParenthesis)
        guard parts.count == 3 else {
            throw error(.wrongArgumentCount(function: "TERNARY", expected: 3, found: parts.count), at: start)
        }
        let conditional = FormatExpression.conditional(
            try predicate(parts[0]), try expression(parts[1]), try expression(parts[2]))
        return try node(conditional, over: parts, from: start)
    }

    private mutating func call(from start: Int) throws(FormatError) -> Node {
        try expect(.leftParenthesis)
        let parts = try list(until: .rightParenthesis)
        guard parts.count >= 2, case .expression(.constant(.text(let selector))) = parts[1].content else {
            throw error(.unexpected(found: "something else", expected: "FUNCTION(target, 'selector', …)"), at: start)
        }
        let arguments = try expressions(Array(parts.dropFirst(2)))
        return try node(
            .call(try expression(parts[0]), selector: selector, arguments), over: parts, from: start)
    }

    private mutating func fetch(from start: Int) throws(FormatError) -> Node {
        try expect(.leftParenthesis)
        let parts = try list(until: .rightParenthesis)
        guard parts.count == 3, case .expression(.constant(let flag)) = parts[2].content,
            let countOnly = flag.truthValue
        else {
            throw error(.unexpected(found: "something else", expected: "FETCH(request, context, NO)"), at: start)
        }
        let fetch = FormatExpression.fetch(
            try expression(parts[0]), context: try expression(parts[1]), countOnly: countOnly)
        return try node(fetch, over: parts, from: start)
    }
}

extension FormatPlaceholder {
    fileprivate var wanted: String {
        switch self {
        case .object: "an object"
        case .keyPath: "a key path as text"
        case .number: "a number"
        case .character: "a character or its number"
        case .text: "a text"
        }
    }
}

extension FormatConstant {
    /// The truth value of `YES`, `NO`, 1 or 0.
    fileprivate var truthValue: Bool? {
        switch self {
        case .boolean(let truth): truth
        case .integer(0): false
        case .integer(1): true
        default: nil
        }
    }

    /// Returns the constant if it is valid for the placeholder.
    fileprivate func argument(for placeholder: FormatPlaceholder) -> FormatConstant? {
        switch (placeholder, self) {
        case (.object, _): self
        case (.number, .integer), (.number, .real), (.number, .decimal), (.number, .boolean): self
        case (.text, .text): self
        case (.character, .text(let text)): text.count == 1 ? self : nil
        case (.character, .integer(let number)):
            UInt32(exactly: number).flatMap(Unicode.Scalar.init).map { .text(String(Character($0))) }
        default: nil
        }
    }
}
