import ObjectGraph

/// The tests of predicates as SQL: comparisons, contains, beginsWith, like, and others.
extension ExpressionSQL {
    /// Translates a test for which NULL counts as false.
    package mutating func filter(_ expression: QueryExpression) throws -> SQLText { try test(expression, .filter) }

    /// Translates a test that is never NULL.
    mutating func strict(_ expression: QueryExpression) throws -> SQLText { try test(expression, .strict) }

    enum Position {
        case filter
        case strict
    }

    private mutating func test(_ expression: QueryExpression, _ position: Position) throws -> SQLText {
        switch expression {
        case .constant(let value): return dialect.constant(value)
        case .compare(let comparison, let left, let right): return try compare(comparison, left, right, position)
        case .and(let parts): return try joined(parts, " AND ", empty: true, position)
        case .or(let parts): return try joined(parts, " OR ", empty: false, position)
        case .not(let operand): return try negation(of: operand, position)
        case .isMember(let operand, let values): return try member(operand, values, position)
        case .text(let test, let text, let other): return try textTest(test, text, other, position)
        case .isKind(let base, let entityIndex):
            let object = try object(base)
            let guards = try guards(of: object, declaringIndex: nil)
            let test = (guards + [try kindTest(object, entityIndex)]).joined(separator: " AND ")
            return object.isOptional ? sealed(test, position) : test
        case .exists(let collection, let variable, let test): return try exists(collection, variable, test)
        case .all(let collection, let variable, let test): return try all(collection, variable, test)
        case .variable, .toOne, .cast, .member: return nullComparison(.notEqual, try value(expression))
        case .literal, .attribute, .identity, .arithmetic, .negative, .conditional, .coalesce, .count, .aggregate,
            .textOrder, .textLength, .function:
            return try truth(of: try value(expression), position)
        }
    }

    /// Replaces NULL by false in a strict position.
    private func sealed(_ test: SQLText, _ position: Position) -> SQLText {
        position == .strict ? dialect.sealed(test) : test
    }

    /// Uses a value as a test: it must be neither nil nor zero.
    private func truth(of value: ValueSQL, _ position: Position) throws -> SQLText {
        switch value.kind {
        case .integer, .real, .wholeOrReal:
            return value.isNullable ? sealed("\(value.sql) <> 0", position) : "\(value.sql) <> 0"
        case .null: return dialect.constant(false)
        case .text, .blob, .key, .external: return "\(value.sql) IS NOT NULL"
        case .unknown: return dialect.differ("coalesce(\(value.sql), 0)", "0")
        }
    }

    private mutating func joined(
        _ parts: [QueryExpression], _ separator: String, empty: Bool, _ position: Position
    ) throws -> SQLText {
        guard parts.count != 1, !parts.isEmpty else {
            return try parts.first.map { try test($0, position) } ?? dialect.constant(empty)
        }
        var texts: [SQLText] = []
        for part in parts {
            let text = try test(part, position)
            // Avoids double parentheses, because SQLite's parser has a depth limit.
            texts.append(part.isGroup ? text : "(\(text))")
        }
        return "(\(Self.balanced(texts[...], separator)))"
    }

    /// Groups long chains, because SQLite nests a chain of ANDs as deep as it is long and limits the depth.
    static func balanced(_ texts: ArraySlice<SQLText>, _ separator: String) -> SQLText {
        if texts.count <= longChain { return texts.joined(separator: separator) }
        let middle = texts.startIndex + texts.count / 2
        let (first, second) = (balanced(texts[..<middle], separator), balanced(texts[middle...], separator))
        return "(\(first))\(separator)(\(second))"
    }

    private static let longChain = 64

    private mutating func negation(of operand: QueryExpression, _ position: Position) throws -> SQLText {
        switch operand {
        case .constant(let value): return dialect.constant(!value)
        case .not(let inner): return try test(inner, position)
        case .compare(.equal, let left, let right): return try compare(.notEqual, left, right, position)
        case .compare(.notEqual, let left, let right): return try compare(.equal, left, right, position)
        default: return "NOT (\(try strict(operand)))"
        }
    }

    // MARK: Comparisons

    private mutating func compare(
        _ comparison: ComparisonOperator, _ left: QueryExpression, _ right: QueryExpression, _ position: Position
    ) throws -> SQLText {
        var (left, right) = (try value(left), try value(right))
        if left.isNullLiteral || right.isNullLiteral {
            return nullComparison(comparison, left.isNullLiteral ? right : left)
        }
        (left, right) = (try left.readable(), try right.readable())
        if let differing = differingKeys(comparison, left, right) { return differing }
        if let equality = storedKeyEquality(comparison, left, right, position) { return equality }
        let isPlain = left.kind.comparesPlainly(with: right.kind)
        let sides = isPlain ? (left.sql, right.sql) : (dialect.unconverted(left.sql), dialect.unconverted(right.sql))
        let isNullable = left.isNullable || right.isNullable
        switch comparison {
        case .equal where left.isNullable && right.isNullable || position == .strict:
            return dialect.areSame(sides.0, sides.1)
        case .notEqual where isNullable: return dialect.differ(sides.0, sides.1)
        case .equal, .notEqual: return "\(sides.0) \(comparison.symbol) \(sides.1)"
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            let test: SQLText = "\(sides.0) \(comparison.symbol) \(sides.1)"
            return isNullable ? sealed(test, position) : test
        }
    }

    private func nullComparison(_ comparison: ComparisonOperator, _ other: ValueSQL) -> SQLText {
        switch comparison {
        case .equal: other.isNullLiteral ? dialect.constant(true) : isNull(other)
        case .notEqual: other.isNullLiteral ? dialect.constant(false) : isNotNull(other)
        case .less, .lessOrEqual, .greater, .greaterOrEqual: dialect.constant(false)
        }
    }

    private func isNotNull(_ value: ValueSQL) -> SQLText {
        value.storedKey.map { "(\($0.sql) IS NOT NULL AND \($0.exists))" } ?? "\(value.sql) IS NOT NULL"
    }

    private func isNull(_ value: ValueSQL) -> SQLText {
        value.storedKey.map { "(\($0.sql) IS NULL OR NOT \($0.exists))" } ?? "\(value.sql) IS NULL"
    }

    /// Compares a key whose row may be deleted with the key of a known row: by the stored key, so that its index is used.
    private func storedKeyEquality(
        _ comparison: ComparisonOperator, _ left: ValueSQL, _ right: ValueSQL, _ position: Position
    ) -> SQLText? {
        let (value, literal) = left.storedKey == nil ? (right, left) : (left, right)
        guard let key = value.storedKey, literal.literal != nil, literal.kind.isKey else { return nil }
        let isStrict = position == .strict || comparison == .notEqual
        let isSame = isStrict ? dialect.areSame(key.sql, literal.sql) : "\(key.sql) = \(literal.sql)"
        let isEqual: SQLText = "(\(isSame) AND \(key.exists))"
        switch comparison {
        case .equal: return isEqual
        case .notEqual: return "NOT \(isEqual)"
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return nil
        }
    }

    /// Keys of different hierarchies are never the same object, even if their numbers are equal; two missing objects are
    /// equal.
    private func differingKeys(
        _ comparison: ComparisonOperator, _ left: ValueSQL, _ right: ValueSQL
    ) -> SQLText? {
        guard case .key(let leftRoot) = left.kind, case .key(let rightRoot) = right.kind, leftRoot != rightRoot else {
            return nil
        }
        let bothMissing: SQLText = "(\(left.sql) IS NULL AND \(right.sql) IS NULL)"
        switch comparison {
        case .equal: return bothMissing
        case .notEqual: return "NOT \(bothMissing)"
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return dialect.constant(false)
        }
    }

    // MARK: Membership

    private mutating func member(
        _ operand: QueryExpression, _ values: [Value], _ position: Position
    ) throws -> SQLText {
        let operand = try value(operand)
        let wantsNull = values.contains(where: \.isNil)
        let bound = values.compactMap { boundMember($0, of: operand) }
        guard !bound.isEmpty else { return wantsNull ? isNull(operand) : dialect.constant(false) }
        let readable = try operand.readable()
        if let key = readable.storedKey {
            let test = dialect.isAmong(bound, key.sql)
            return wantsNull ? "(\(isNull(readable)) OR \(test))" : sealed("(\(test) AND \(key.exists))", position)
        }
        let isPlain = bound.allSatisfy { readable.kind.comparesPlainly(with: ValueSQL.Kind(of: $0)) }
        let element = isPlain || readable.kind.isKey ? readable.sql : dialect.unconverted(readable.sql)
        let test = dialect.isAmong(bound, element)
        if wantsNull, readable.isNullable { return "(\(readable.sql) IS NULL OR \(test))" }
        return readable.isNullable ? sealed(test, position) : test
    }

    /// References to other hierarchies and stores match nothing here.
    private func boundMember(_ value: Value, of operand: ValueSQL) -> Cell? {
        if case .reference(let id) = value {
            guard let index = spaces.entityIndex(of: id) else { return nil }
            return operand.kind == .key(rootIndex: model[index].rootIndex) ? .integer(id.key) : nil
        }
        return value.isNil ? nil : Cell(value)
    }

    // MARK: Texts

    /// Translates tests of texts (contains, beginsWith, like, …). For two texts, contains is the dialect's own search
    /// (`instr` in SQLite), and beginsWith with a literal is a range; all other tests call the dialect's functions.
    private mutating func textTest(
        _ test: TextTest, _ text: QueryExpression, _ other: QueryExpression, _ position: Position
    ) throws -> SQLText {
        let (text, other) = (try value(text).readable(), try value(other).readable())
        if text.isNullLiteral || other.isNullLiteral { return dialect.constant(false) }
        if text.kind == .text, other.kind == .text {
            let isNullable = text.isNullable || other.isNullable
            if test == .contains {
                let test = dialect.contains(text.sql, other.sql)
                return isNullable ? sealed(test, position) : test
            }
            if test == .beginsWith, case .text(let prefix)? = other.literal {
                let test = prefixTest(text.sql, prefix)
                return text.isNullable ? sealed(test, position) : test
            }
        }
        return "\(try dialect.called(.test(test)))(\(text.sql), \(other.sql))"
    }

    /// Translates a prefix test to a range, so that an index on the text is used. UTF-8 bytes sort like code points.
    private func prefixTest(_ text: SQLText, _ prefix: String) -> SQLText {
        guard !prefix.isEmpty else { return "\(text) IS NOT NULL" }
        let lower: SQLText = "\(text) >= \(.parameter(.text(prefix)))"
        guard let end = prefix.firstTextBeyondPrefix else { return lower }
        return "(\(lower) AND \(text) < \(.parameter(.text(end))))"
    }
}

extension QueryExpression {
    /// Whether the expression joins several tests, and so already has parentheses.
    fileprivate var isGroup: Bool {
        switch self {
        case .and(let parts), .or(let parts): parts.count > 1
        default: false
        }
    }
}

extension String {
    /// The smallest text that sorts after every text with this prefix; `nil` if there is none.
    fileprivate var firstTextBeyondPrefix: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let following = Unicode.Scalar(next) else { continue }
            scalars.append(following)
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            return String(text)
        }
        return nil
    }
}
