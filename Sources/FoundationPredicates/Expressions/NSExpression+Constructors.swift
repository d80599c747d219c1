import Foundation
import ObjectGraph
import PredicateFormat

extension NSExpression {
    /// Creates an expression for a constant. An array or a set may be the right side of `IN`.
    public convenience init(forConstantValue value: Any?) {
        self.init(tree: .constant(FormatConstant(value)))
    }

    /// Returns an expression for the evaluated object, `SELF`.
    public class func expressionForEvaluatedObject() -> NSExpression { NSExpression(tree: .evaluatedObject) }

    /// Creates an expression for a variable, `$name`, whose value is supplied later.
    public convenience init(forVariable name: String) {
        self.init(tree: .variable(name))
    }

    /// Creates an expression for the value at a key path of the object.
    public convenience init(forKeyPath keyPath: String) {
        self.init(tree: .keyPath(keyPath))
    }

    #if canImport(Darwin)
    #else
    /// Creates an expression for the value at a key path of the object. The key path must consist of properties whose
    /// names can be determined.
    public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
        self.init(tree: .keyPath(KeyPathText.text(of: keyPath) ?? ""))
    }
    #endif

    /// Creates a function call, such as of `sum:` or `add:to:`, with the values of the arguments. An unknown function
    /// returns nil, and a fetch request with it throws.
    public convenience init(forFunction name: String, arguments: [Any]) {
        let trees = arguments.map(Self.tree)
        switch FormatFunction(name: name) {
        case .elementAt? where trees.count == 2: self.init(tree: .element(trees[0], Self.index(trees[1])))
        case let function?: self.init(tree: .function(function, trees))
        case nil:
            if name == "castObject:toType:", trees.count == 2, case .constant(.text(let type)) = trees[1] {
                self.init(tree: .cast(trees[0], type: type))
            } else {
                self.init(tree: .call(.constant(.null), selector: name, trees))
            }
        }
    }

    /// Creates a call of a method of the target. Only methods known to the predicate language, such as
    /// `dateByAddingTimeInterval:`, can be called by name on this platform.
    public convenience init(forFunction target: NSExpression, selectorName name: String, arguments: [Any]?) {
        self.init(tree: .call(target.tree, selector: name, (arguments ?? []).map(Self.tree)))
    }

    /// Creates a list of the expressions' values.
    public convenience init(forAggregate expressions: [Any]) {
        self.init(tree: .aggregate(expressions.map(Self.tree)))
    }

    /// Creates the union of two collections.
    public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
        self.init(tree: .set(.union, left.tree, right.tree))
    }

    /// Creates the intersection of two collections.
    public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
        self.init(tree: .set(.intersect, left.tree, right.tree))
    }

    /// Creates the difference of two collections: the elements of the left one that the right one does not contain.
    public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
        self.init(tree: .set(.minus, left.tree, right.tree))
    }

    /// Creates an expression that calls a closure with the object, the arguments and the context. A store cannot
    /// evaluate it.
    public convenience init(
        block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any?, arguments: [NSExpression]?
    ) {
        let block = FormatExpressionBlock { block($0, $1, $2 as? NSMutableDictionary) }
        self.init(tree: .block(block, (arguments ?? []).map(\.tree)))
    }

    /// Returns an expression for any key of the object.
    public class func expressionForAnyKey() -> NSExpression { NSExpression(tree: .anyKey) }

    /// The tree of an expression, or of a constant for any other value.
    private static func tree(_ value: Any) -> FormatExpression {
        (value as? NSExpression)?.tree ?? .constant(FormatConstant(value))
    }

    private static func index(_ tree: FormatExpression) -> FormatIndex {
        guard case .constant(.text(let word)) = tree else { return .position(tree) }
        return FormatIndex(word: word) ?? .position(tree)
    }
}
