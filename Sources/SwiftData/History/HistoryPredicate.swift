import Foundation
import ObjectGraph

/// A predicate on transactions: the part that the stores can test, and the whole for transactions that were read.
struct HistoryPredicate {
    private let predicate: Predicate<DefaultHistoryTransaction>?
    /// A condition that holds for every transaction that the predicate accepts.
    let test: HistoryTest
    /// Whether `test` is the whole predicate.
    let isExact: Bool

    init(_ predicate: Predicate<DefaultHistoryTransaction>?) {
        self.predicate = predicate
        guard let predicate else {
            (test, isExact) = (.constant(true), true)
            return
        }
        switch HistoryOperand(predicate.expression) {
        case .test(let test, let isExact): (self.test, self.isExact) = (test, isExact)
        case .constant(let answer as Bool): (test, isExact) = (.constant(answer), true)
        case .constant, .transaction, .field, nil: (test, isExact) = (.constant(true), false)
        }
    }

    func holds(_ transaction: DefaultHistoryTransaction) throws -> Bool {
        try predicate?.evaluate(transaction) ?? true
    }
}

/// The meaning of one part of a predicate on transactions.
enum HistoryOperand {
    case transaction
    case field(HistoryField)
    /// A captured value, or a value computed from captured values; `nil` for nil.
    case constant(Any?)
    /// A condition that holds wherever the part holds; if `isExact`, the part also holds wherever the condition does.
    case test(HistoryTest, isExact: Bool)

    /// - Returns: `nil` for a part that only memory can evaluate.
    init?<Part: PredicateExpression>(_ part: Part) {
        if let value = Self.value(of: part) {
            self = .constant(PredicateConstant.flattened(value.value))
        } else if let known = (part as? any HistoryTranslatable)?.historyOperand {
            self = known
        } else {
            return nil
        }
    }

    /// The value of a part without variables. The value itself may be nil.
    private static func value<Part: PredicateExpression>(of part: Part) -> (value: Any, Void)? {
        do {
            return (try part.evaluate(PredicateBindings()), ())
        } catch {
            return nil
        }
    }

    static func exact(_ test: HistoryTest) -> HistoryOperand { .test(test, isExact: true) }

    /// The part as a test that is equivalent to it.
    var exactTest: HistoryTest? {
        switch self {
        case .test(let test, isExact: true): test
        case .constant(let answer as Bool): .constant(answer)
        default: nil
        }
    }

    /// The part as a test that may accept more transactions.
    var looseTest: HistoryTest {
        if case .test(let test, _) = self { test } else { exactTest ?? .constant(true) }
    }
}

/// The properties of a transaction that can be tested before its changes are read.
enum HistoryField {
    case token, number, timestamp, store
    case text(HistoryText, isOptional: Bool)

    init?(_ keyPath: PartialKeyPath<DefaultHistoryTransaction>) {
        switch keyPath {
        case \.token: self = .token
        case \.transactionIdentifier, \.id: self = .number
        case \.timestamp: self = .timestamp
        case \.storeIdentifier: self = .store
        case \.author: self = .text(.author, isOptional: true)
        case \.bundleIdentifier: self = .text(.bundleID, isOptional: false)
        case \.processIdentifier: self = .text(.processID, isOptional: false)
        default: return nil
        }
    }

    /// - Returns: `nil` for a comparison that a store cannot make.
    func test(_ comparison: ComparisonOperator, _ constant: Any?) -> HistoryTest? {
        switch (self, constant) {
        case (.token, let token as DefaultHistoryToken): return .token(comparison, token.token)
        case (.number, let number as Int64): return .number(comparison, number)
        case (.timestamp, let date as Date): return .time(comparison, date.timeIntervalSinceReferenceDate)
        case (.store, let identifier as String): return Self.equality(comparison, .store(is: identifier))
        case (.text(let text, let isOptional), let wanted as String) where wanted.utf8.allSatisfy({ $0 < 0x80 }):
            // Swift treats texts as equal although their bytes differ; a store does not.
            let same = HistoryTest.text(text, is: wanted)
            // A text that the file does not record reads as empty if the property is not optional.
            let isAbsent = HistoryTest.text(text, is: nil)
            return Self.equality(comparison, wanted.isEmpty && !isOptional ? .or([same, isAbsent]) : same)
        case (.text(let text, _), nil): return Self.equality(comparison, .text(text, is: nil))
        default: return nil
        }
    }

    private static func equality(_ comparison: ComparisonOperator, _ same: HistoryTest) -> HistoryTest? {
        switch comparison {
        case .equal: same
        case .notEqual: .not(same)
        default: nil
        }
    }
}
