/// The name of a comparison method for sort descriptors: `Selector("localizedStandardCompare:")`.
///
/// Methods cannot be called by name on this platform; a sort descriptor knows the ones that Core Data stores support.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let description: String

    public init(_ name: String) { description = name }

    public init(stringLiteral name: String) { description = name }
}

/// Returns the selector with a name.
public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(aSelectorName) }

/// Returns a selector's name.
public func NSStringFromSelector(_ aSelector: Selector) -> String { aSelector.description }
