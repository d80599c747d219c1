import Foundation
import ObjectGraph
import PredicateFormat

/// A predicate on the transactions or changes of one store: the part that the store can test, and the whole for transactions that
/// were read.
struct HistoryPredicate {
    private let tree: FormatPredicate
    /// A necessary condition of the predicate.
    let test: HistoryTest
    /// Whether `test` is equivalent to the predicate.
    let isExact: Bool

    /// - Parameter storeIdentifier: the store whose positions tokens in the predicate are converted to.
    /// - Throws: `PredicateFormatError` for a predicate whose format could not be read.
    init(_ predicate: NSPredicate?, storeIdentifier: String = "") throws {
        let given = predicate?.tree ?? .constant(true)
        if case .malformed(let error, let text) = given { throw PredicateFormatError(error, in: text) }
        tree = given.placingTokens(in: storeIdentifier)
        let translated = HistoryPredicateTranslation(given)
        test = translated.test
        isExact = translated.isExact
    }

    /// A necessary condition for a transaction to have a change that satisfies the predicate.
    var testOfChanges: HistoryTest { tree.testOfChanges }

    func holds(_ object: Any) -> Bool { FormatEvaluator().test(tree, of: object) }
}

/// A necessary condition of a predicate. Of conditions joined by AND, those that the store cannot test are left out; any other
/// predicate is translated as a whole or not at all.
private struct HistoryPredicateTranslation {
    let test: HistoryTest
    let isExact: Bool

    init(_ tree: FormatPredicate) {
        if case .and(let parts) = tree {
            let all = parts.map(HistoryPredicateTranslation.init)
            test = .and(all.map(\.test))
            isExact = all.allSatisfy(\.isExact)
        } else {
            let exact = tree.historyTest
            test = exact ?? .constant(true)
            isExact = exact != nil
        }
    }
}

extension FormatPredicate {
    /// The same condition; `nil` if a store cannot test it.
    fileprivate var historyTest: HistoryTest? {
        switch self {
        case .constant(let answer): return .constant(answer)
        case .comparison(let comparison): return comparison.historyTest
        case .not(let part): return part.historyTest.map(HistoryTest.not)
        case .and(let parts): return parts.historyTests.map(HistoryTest.and)
        case .or(let parts): return parts.historyTests.map(HistoryTest.or)
        case .block, .malformed: return nil
        }
    }

    /// Parts that the store cannot test count as true.
    fileprivate var testOfChanges: HistoryTest {
        switch self {
        case .comparison(let comparison): comparison.testOfChanges ?? .constant(true)
        case .and(let parts): .and(parts.map(\.testOfChanges))
        case .or(let parts): .or(parts.map(\.testOfChanges))
        case .constant, .not, .block, .malformed: .constant(true)
        }
    }

    /// Replaces each token by its position in the store.
    fileprivate func placingTokens(in store: String) -> FormatPredicate {
        switch self {
        case .constant, .block, .malformed: return self
        case .comparison(var comparison):
            comparison.left = comparison.left.placingToken(in: store)
            comparison.right = comparison.right.placingToken(in: store)
            return .comparison(comparison)
        case .not(let part): return .not(part.placingTokens(in: store))
        case .and(let parts): return .and(parts.map { $0.placingTokens(in: store) })
        case .or(let parts): return .or(parts.map { $0.placingTokens(in: store) })
        }
    }
}

extension [FormatPredicate] {
    fileprivate var historyTests: [HistoryTest]? {
        let tests = compactMap(\.historyTest)
        return tests.count == count ? tests : nil
    }
}

extension FormatExpression {
    fileprivate var historyToken: HistoryToken? {
        guard case .constant(.object(let object)) = self else { return nil }
        return (object.base as? NSPersistentHistoryToken)?.token
    }

    fileprivate func placingToken(in store: String) -> FormatExpression {
        historyToken.map { .constant(.integer($0.place(in: store))) } ?? self
    }
}

extension FormatComparison {
    /// A comparison of a transaction's key with a constant, on either side.
    fileprivate var historyTest: HistoryTest? {
        guard modifier == .direct, options.isEmpty, let comparison = comparison.plain else { return nil }
        switch (left, right) {
        case (.keyPath(let key), let constant): return Self.test(key, comparison, constant)
        case (let constant, .keyPath(let key)): return Self.test(key, comparison.mirrored, constant)
        default: return nil
        }
    }

    /// A test for changes of one object, or of one of several.
    fileprivate var testOfChanges: HistoryTest? {
        guard case (.keyPath("changedObjectID"), .constant(let constant), .direct) = (left, right, modifier) else {
            return nil
        }
        switch (comparison, constant) {
        case (.equal, _): return constant.objectID.map(HistoryTest.changed)
        case (.isIn, .list(let members)):
            let ids = members.compactMap(\.objectID)
            return ids.count == members.count ? .or(ids.map(HistoryTest.changed)) : nil
        default: return nil
        }
    }

    private static func test(
        _ key: String, _ comparison: ComparisonOperator, _ operand: FormatExpression
    ) -> HistoryTest? {
        if key == "token" { return operand.historyToken.map { .token(comparison, $0) } }
        guard case .constant(let constant) = operand else { return nil }
        switch (key, constant) {
        case ("transactionNumber", .integer(let number)): return .number(comparison, number)
        case ("timestamp", .date(let seconds)): return .time(comparison, seconds)
        case ("author", _): return test(.author, comparison, constant)
        case ("contextName", _): return test(.contextName, comparison, constant)
        default: return nil
        }
    }

    private static func test(
        _ text: HistoryText, _ comparison: ComparisonOperator, _ constant: FormatConstant
    ) -> HistoryTest? {
        let wanted: String?
        switch constant {
        case .null: wanted = nil
        case .text(let text): wanted = text
        default: return nil
        }
        switch comparison {
        case .equal: return .text(text, is: wanted)
        case .notEqual: return .not(.text(text, is: wanted))
        default: return nil
        }
    }
}

extension FormatOperator {
    fileprivate var plain: ComparisonOperator? {
        switch self {
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        case .equal: .equal
        case .notEqual: .notEqual
        default: nil
        }
    }
}
