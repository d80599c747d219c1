import ObjectGraph

/// A text that sorts in an order of its own. Key paths that end in one carry the order through a `SortDescriptor`,
/// whose comparator cannot be asked for it.
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
