import Foundation

/// All text tests and text orders of the expression tree. The evaluator and the functions that a store registers with
/// its database share them, so that their results are equal.
///
/// The case-sensitive tests and the binary order use UTF-8 bytes: canonically equivalent texts with different scalars
/// (a composed and a decomposed "é") are different, as in a database column.
package enum TextMatching {
    /// Whether `haystack` passes `test` with `needle`. An invalid regular expression matches nothing.
    package static func test(_ test: TextTest, _ haystack: String, _ needle: String) -> Bool {
        switch test {
        case .contains: contains(haystack, needle)
        case .beginsWith: haystack.utf8.starts(with: needle.utf8)
        case .endsWith: haystack.utf8.reversed().starts(with: needle.utf8.reversed())
        case .containsLocalizedStandard: containsLocalizedStandard(haystack, needle)
        case .matches: matches(haystack, needle)
        case .like: isLike(haystack, needle)
        case .matchesPattern: matchesPattern(haystack, needle, options: [])
        case .matchesPatternIgnoringCase: matchesPattern(haystack, needle, options: .caseInsensitive)
        case .conformsToType: UniformTypes.conforms(haystack, to: needle)
        case .equalsType: UniformTypes.equal(haystack, needle)
        }
    }

    /// Returns -1 if `a` sorts before `b`, 1 if after, 0 if they are equal in this order.
    package static func order(_ order: TextOrder, _ a: String, _ b: String) -> Int {
        switch order {
        case .binary: binaryOrder(a, b)
        case .caseInsensitive: caseInsensitiveOrder(a, b)
        case .localized: sign(a.compare(b, locale: .current))
        case .localizedStandard: localizedStandardOrder(a, b)
        case .localizedCaseInsensitive: sign(a.compare(b, options: .caseInsensitive, locale: .current))
        }
    }
}

extension TextMatching {
    /// Compares texts in UTF-8, without creating a `String` unless one is needed.
    package static func order(
        _ order: TextOrder, _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
    ) -> Int {
        if order == .binary { return byteOrder(a, b) }
        if order == .localizedStandard, let found = LatinTextOrder.current?.order(a, b) { return found }
        return self.order(order, String(decoding: a, as: UTF8.self), String(decoding: b, as: UTF8.self))
    }

    /// Returns the length of a text in user-perceived characters (`String.count`).
    package static func length(_ text: String) -> Int { text.count }

    /// Whether two texts have the same UTF-8 bytes.
    package static func equal(_ a: String, _ b: String) -> Bool { binaryOrder(a, b) == 0 }
}

// MARK: - Orders

extension TextMatching {
    private static func binaryOrder(_ a: String, _ b: String) -> Int {
        let fast = a.utf8.withContiguousStorageIfAvailable { left in
            b.utf8.withContiguousStorageIfAvailable { right in byteOrder(left, right) }
        }
        if let fast = fast ?? nil { return fast }
        if a.utf8.elementsEqual(b.utf8) { return 0 }
        return a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
    }

    /// Compares like `memcmp` over the common length, then by length.
    static func byteOrder(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
        let common = min(a.count, b.count)
        if common > 0, let left = a.baseAddress, let right = b.baseAddress {
            let order = memcmp(left, right, common)
            if order != 0 { return order < 0 ? -1 : 1 }
        }
        return a.count == b.count ? 0 : (a.count < b.count ? -1 : 1)
    }

    private static func caseInsensitiveOrder(_ a: String, _ b: String) -> Int {
        if isASCII(a), isASCII(b) {
            for (left, right) in zip(a.utf8, b.utf8) {
                let (left, right) = (lowercase(left), lowercase(right))
                if left != right { return left < right ? -1 : 1 }
            }
            let (left, right) = (a.utf8.count, b.utf8.count)
            return left == right ? 0 : (left < right ? -1 : 1)
        }
        return sign(a.compare(b, options: .caseInsensitive))
    }

    /// Compares letters without case, width and accents, and sequences of digits as numbers. Ties are resolved by
    /// accents, then by case, lower case first.
    private static func localizedStandardOrder(_ a: String, _ b: String) -> Int {
        latinOrder(a, b) ?? localizedStandardReference(a, b, Locale.current)
    }

    private static func latinOrder(_ a: String, _ b: String) -> Int? {
        guard let order = LatinTextOrder.current else { return nil }
        let found = a.utf8.withContiguousStorageIfAvailable { left in
            b.utf8.withContiguousStorageIfAvailable { right in order.order(left, right) }
        }
        return found.flatMap { $0 }.flatMap { $0 }
    }

    /// Compares with Foundation only.
    static func localizedStandardReference(_ a: String, _ b: String, _ locale: Locale) -> Int {
        let loose: String.CompareOptions = [.numeric, .caseInsensitive, .widthInsensitive, .diacriticInsensitive]
        let primary = a.compare(b, options: loose, locale: locale)
        if primary != .orderedSame { return sign(primary) }
        let accents = a.compare(b, options: [.numeric, .caseInsensitive, .widthInsensitive], locale: locale)
        if accents != .orderedSame { return sign(accents) }
        return lowerCaseFirst(a, b)
    }

    /// Compares texts that differ at most in case or width.
    private static func lowerCaseFirst(_ a: String, _ b: String) -> Int {
        for (left, right) in zip(a, b) where left != right {
            if left.isLowercase != right.isLowercase { return left.isLowercase ? -1 : 1 }
        }
        return binaryOrder(a, b)
    }

    private static func sign(_ result: ComparisonResult) -> Int {
        switch result {
        case .orderedAscending: -1
        case .orderedSame: 0
        case .orderedDescending: 1
        }
    }
}

// MARK: - Tests

extension TextMatching {
    private static func contains(_ haystack: String, _ needle: String) -> Bool {
        let fast = haystack.utf8.withContiguousStorageIfAvailable { hay in
            needle.utf8.withContiguousStorageIfAvailable { pin in contains(hay, pin) }
        }
        if let fast = fast ?? nil { return fast }
        return Array(haystack.utf8).withUnsafeBufferPointer { hay in
            Array(needle.utf8).withUnsafeBufferPointer { pin in contains(hay, pin) }
        }
    }

    private static func contains(_ hay: UnsafeBufferPointer<UInt8>, _ pin: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = pin.first, let pinBase = pin.baseAddress else { return true }
        guard pin.count <= hay.count, let hayBase = hay.baseAddress else { return false }
        for start in 0...(hay.count - pin.count) where hay[start] == first {
            if memcmp(hayBase + start, pinBase, pin.count) == 0 { return true }
        }
        return false
    }

    private static func containsLocalizedStandard(_ haystack: String, _ needle: String) -> Bool {
        if needle.isEmpty { return true }
        if isASCII(haystack), isASCII(needle) { return containsIgnoringASCIICase(haystack, needle) }
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
        return haystack.range(of: needle, options: options, locale: .current) != nil
    }

    private static func containsIgnoringASCIICase(_ haystack: String, _ needle: String) -> Bool {
        let hay = haystack.utf8.map(lowercase)
        let pin = needle.utf8.map(lowercase)
        return hay.withUnsafeBufferPointer { hay in pin.withUnsafeBufferPointer { contains(hay, $0) } }
    }

    private static func isASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
}

// MARK: - Regular expressions

extension TextMatching {
    private static func matches(_ text: String, _ pattern: String) -> Bool {
        guard let expression = compiledPatterns.withLock({ $0.expression(for: pattern) }) else { return false }
        return (try? expression.wholeMatch(in: text)) != nil
    }
}

/// A cache of recently compiled expressions, because a query uses the same pattern for every row.
private struct CompiledPatterns {
    private static let limit = 64
    private var expressions: [String: CompiledPattern] = [:]

    mutating func expression(for pattern: String) -> Regex<AnyRegexOutput>? {
        if let known = expressions[pattern] { return known.expression }
        if expressions.count >= Self.limit { expressions.removeAll(keepingCapacity: true) }
        let expression = try? Regex(pattern)
        expressions[pattern] = CompiledPattern(expression: expression)
        return expression
    }
}

/// `expression` is nil for an invalid pattern; this result is cached, too.
private struct CompiledPattern {
    let expression: Regex<AnyRegexOutput>?
}

private let compiledPatterns = Locked(CompiledPatterns())
