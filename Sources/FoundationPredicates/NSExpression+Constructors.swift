import Foundation
import ObjectGraph
import PredicateFormat

extension NSExpression {
    /// Always this value. Arrays and sets may stand right of `IN`.
    public convenience init(forConstantValue value: Any?) {
        self.init(tree: .constant(FormatConstant(value)))
    }

    /// The object itself, `SELF`.
    public class func expressionForEvaluatedObject() -> NSExpression { NSExpression(tree: .evaluatedObject) }

    /// The value that is given for the variable later, `$name`.
    public convenience init(forVariable name: String) {
        self.init(tree: .variable(name))
    }

    /// What stands at the key path of the object.
    public convenience init(forKeyPath keyPath: String) {
        self.init(tree: .keyPath(keyPath))
    }

    #if canImport(Darwin)
    #else
    /// What stands at the key path of the object. Only key paths that name properties of a class by their Swift names.
    public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
        self.init(tree: .keyPath(KeyPathText.text(of: keyPath) ?? ""))
    }
    #endif

    /// A function, such as `sum:` or `add:to:`, of the values that the arguments give. A function that does not exist
    /// gives nil, and a fetch request with it throws.
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

    /// The method of the target, by the method's name. There are no methods by name here except the few that the
    /// language knows, such as `dateByAddingTimeInterval:`.
    public convenience init(forFunction target: NSExpression, selectorName name: String, arguments: [Any]?) {
        self.init(tree: .call(target.tree, selector: name, (arguments ?? []).map(Self.tree)))
    }

    /// The list of what the expressions give.
    public convenience init(forAggregate expressions: [Any]) {
        self.init(tree: .aggregate(expressions.map(Self.tree)))
    }

    /// What is in either collection.
    public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
        self.init(tree: .set(.union, left.tree, right.tree))
    }

    /// What is in both collections.
    public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
        self.init(tree: .set(.intersect, left.tree, right.tree))
    }

    /// What is in the left collection and not in the right one.
    public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
        self.init(tree: .set(.minus, left.tree, right.tree))
    }

    /// The members of a collection for which the predicate holds, where the variable stands for the member.
    public convenience init(
        forSubquery collection: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate
    ) {
        self.init(tree: .subquery(collection.tree, variable: variable, predicate.tree))
    }

    /// One of two values, as the predicate has it.
    public convenience init(
        forConditional predicate: NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression
    ) {
        self.init(tree: .conditional(predicate.tree, trueExpression.tree, falseExpression.tree))
    }

    /// What a closure gives for the object, the arguments and the context. A store cannot evaluate it.
    public convenience init(
        block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any?, arguments: [NSExpression]?
    ) {
        let block = FormatExpressionBlock { block($0, $1, $2 as? NSMutableDictionary) }
        self.init(tree: .block(block, (arguments ?? []).map(\.tree)))
    }

    /// Any key of the object.
    public class func expressionForAnyKey() -> NSExpression { NSExpression(tree: .anyKey) }

    /// An expression, or a constant that stands for one.
    private static func tree(_ value: Any) -> FormatExpression {
        (value as? NSExpression)?.tree ?? .constant(FormatConstant(value))
    }

    private static func index(_ tree: FormatExpression) -> FormatIndex {
        guard case .constant(.text(let word)) = tree else { return .position(tree) }
        return FormatIndex(word: word) ?? .position(tree)
    }
}
