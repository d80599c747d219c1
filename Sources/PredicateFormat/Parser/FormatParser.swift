import ObjectGraph

/// Parses the predicate language by recursive descent, in time and memory proportional to the text.
///
/// A condition and a value can begin with the same words (`(a) > 1`, `(a > 1)`). So every rule returns a `Node` that is
/// one or the other, and the calling rule checks which one it got. Nothing is parsed twice.
///
/// The nesting depth is limited, because every walk over the tree, including its release, takes a stack frame per level.
struct FormatParser {
    static let depthLimit = 64

    private var lexer: FormatLexer
    private let arguments: [FormatArgument]
    /// The number of arguments used by placeholders without a number.
    private var takenCount = 0
    private(set) var token: FormatToken = .end
    /// The byte offset of `token`.
    private(set) var start = 0
    private var depth = 0

    init(_ text: String, arguments: [FormatArgument]) throws(FormatError) {
        lexer = FormatLexer(text)
        self.arguments = arguments
        try advance()
    }

    /// The result of a rule.
    struct Node {
        var content: Content
        /// The number of tree levels below.
        var height: Int
        /// The byte offset of its beginning.
        var start: Int

        enum Content {
            case predicate(FormatPredicate)
            case expression(FormatExpression)
        }
    }

    mutating func wholePredicate() throws(FormatError) -> FormatPredicate {
        let node = try disjunction()
        try expectEnd()
        return try predicate(node)
    }

    mutating func wholeExpression() throws(FormatError) -> FormatExpression {
        let node = try disjunction()
        try expectEnd()
        return try expression(node)
    }

    private func expectEnd() throws(FormatError) {
        if token != .end { throw unexpected("the end or an operator") }
    }

    // MARK: Tokens

    mutating func advance() throws(FormatError) { (token, start) = try lexer.next() }

    func error(_ reason: FormatError.Reason, at offset: Int? = nil) -> FormatError {
        lexer.error(reason, at: offset ?? start)
    }

    func unexpected(_ expected: String) -> FormatError {
        error(.unexpected(found: token.name, expected: expected))
    }

    /// The keyword that comes next, if there is one.
    var keyword: FormatKeyword? {
        if case .word(let word, isEscaped: false) = token { FormatKeyword(word) } else { nil }
    }

    mutating func take(_ symbol: FormatSymbol) throws(FormatError) -> Bool {
        guard token == .symbol(symbol) else { return false }
        try advance()
        return true
    }

    mutating func expect(_ symbol: FormatSymbol) throws(FormatError) {
        if try !take(symbol) { throw unexpected("'\(symbol.rawValue)'") }
    }

    /// Returns the argument of a placeholder, by its number or else the next one.
    mutating func argument(_ given: Int?) throws(FormatError) -> (argument: FormatArgument, number: Int) {
        if given == nil { takenCount += 1 }
        let number = given ?? takenCount
        guard number <= arguments.count else { throw error(.missingArgument(number)) }
        if let malformation = arguments[number - 1].malformation { throw malformation }
        return (arguments[number - 1], number)
    }

    // MARK: Nodes

    func predicate(_ node: Node) throws(FormatError) -> FormatPredicate {
        guard case .predicate(let predicate) = node.content else { throw error(.notAPredicate, at: node.start) }
        return predicate
    }

    func expression(_ node: Node) throws(FormatError) -> FormatExpression {
        guard case .expression(let expression) = node.content else { throw error(.notAnExpression, at: node.start) }
        return expression
    }

    func node(_ predicate: FormatPredicate, over parts: [Node], from start: Int) throws(FormatError) -> Node {
        try node(.predicate(predicate), over: parts, from: start)
    }

    func node(_ expression: FormatExpression, over parts: [Node] = [], from start: Int) throws(FormatError) -> Node {
        try node(.expression(expression), over: parts, from: start)
    }

    private func node(_ content: Node.Content, over parts: [Node], from start: Int) throws(FormatError) -> Node {
        let height = 1 + (parts.lazy.map(\.height).max() ?? 0)
        if height > Self.depthLimit { throw error(.tooDeep(limit: Self.depthLimit), at: start) }
        return Node(content: content, height: height, start: start)
    }

    /// Counts one level while `body` parses.
    mutating func nested(
        _ body: (inout FormatParser) throws(FormatError) -> Node
    ) throws(FormatError) -> Node {
        depth += 1
        if depth > Self.depthLimit { throw error(.tooDeep(limit: Self.depthLimit)) }
        let node = try body(&self)
        depth -= 1
        return node
    }
}
