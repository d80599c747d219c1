/// The name of a method, for sort descriptors that compare by one: `Selector("localizedStandardCompare:")`.
///
/// There are no methods by name on this platform; a sort descriptor knows the few that Core Data does.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let description: String

    public init(_ name: String) { description = name }

    public init(stringLiteral name: String) { description = name }
}

/// The selector of that name.
public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(aSelectorName) }

/// The selector's name.
public func NSStringFromSelector(_ aSelector: Selector) -> String { aSelector.description }
