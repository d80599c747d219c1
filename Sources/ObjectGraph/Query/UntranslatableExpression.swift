/// An expression that SQL cannot represent, or that does not fit the model. Names the construct, never a value.
package struct UntranslatableExpression: Error, Hashable, CustomStringConvertible {
    /// A description of the unsupported construct.
    package let construct: String

    package init(_ construct: String) { self.construct = construct }

    package var description: String {
        "The store cannot search by \(construct); filter the fetched objects, or write the condition another way."
    }
}
