import ObjectGraph

/// A text with an order of its own. Key paths to such texts carry the order through a `SortDescriptor`, which does not
/// expose its comparator.
protocol OrderedText: Comparable {
    static var order: TextOrder { get }
    var text: String { get }
}

extension OrderedText {
    static func == (lhs: Self, rhs: Self) -> Bool { TextMatching.order(order, lhs.text, rhs.text) == 0 }
    static func < (lhs: Self, rhs: Self) -> Bool { TextMatching.order(order, lhs.text, rhs.text) < 0 }
}

struct LocalizedText: OrderedText {
    static var order: TextOrder { .localized }
    let text: String
}

struct LocalizedStandardText: OrderedText {
    static var order: TextOrder { .localizedStandard }
    let text: String
}

extension String {
    var inLocalizedOrder: LocalizedText { LocalizedText(text: self) }
    var inLocalizedStandardOrder: LocalizedStandardText { LocalizedStandardText(text: self) }
}

extension String? {
    var inLocalizedOrder: LocalizedText? { map(LocalizedText.init) }
    var inLocalizedStandardOrder: LocalizedStandardText? { map(LocalizedStandardText.init) }
}
