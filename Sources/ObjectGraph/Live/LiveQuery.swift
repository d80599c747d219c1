/// A query whose results are maintained, and how.
package struct LiveQuery: Sendable, Hashable {
    /// Includes the sort keys of the sections.
    package let query: Query
    /// The number of first sort keys with equal values for the rows of one section; 0 without sections.
    let sectionKeyCount: Int
    package internal(set) var updates: UpdateRule
    /// Expressions that results are used with, beside the query: an object for which one of them may have another value
    /// is reported as updated.
    let alsoRead: [QueryExpression]
    /// The fewest rows held beyond the end of a window.
    private let leastReserve: Int

    /// Which changes of an object that stays in its place are reported.
    package enum UpdateRule: Sendable, Hashable {
        /// Changes of the properties that the query reads. A save of other properties costs the observer nothing.
        case ofReadProperties
        /// All changes of the object itself.
        case ofAllProperties
    }

    /// - Parameters:
    ///   - section: Objects with the same value are one section. Sections are in the order of this key, before the
    ///     query's own keys.
    ///   - leastReserve: The fewest rows held beyond the end of a window, so that rows that leave it are replaced without a
    ///     fetch.
    package init(
        _ query: Query, sectionsBy section: SortKey? = nil, alsoReading alsoRead: [QueryExpression] = [],
        updates: UpdateRule = .ofReadProperties, leastReserve: Int = 16
    ) {
        var query = query
        // Whole rows are read, because they are tested again.
        query.slots = nil
        query.meter = nil
        var keys: [SortKey] = []
        if let section {
            keys = [section]
            // Different values may be equal in a localized order.
            if section.textOrder != .binary {
                keys.append(SortKey(section.expression, ascending: section.isAscending))
            }
            // Not needed after the same key.
            if query.sort.first?.expression == section.expression { query.sort.removeFirst() }
        }
        query.sort = keys + query.sort
        self.query = query
        sectionKeyCount = keys.count
        self.updates = updates
        self.alsoRead = alsoRead
        self.leastReserve = leastReserve
    }

    /// - Parameter sectionKeyCount: The number of first sort keys that rows of one section share.
    init(_ query: Query, sectionKeyCount: Int) {
        self.query = query
        self.sectionKeyCount = sectionKeyCount
        updates = .ofReadProperties
        alsoRead = []
        leastReserve = 0
    }

    /// The slots of the sort keys; `nil` if a key is anything but an attribute of the row itself.
    var sortSlots: [Int]? {
        var slots: Set<Int> = []
        for key in query.sort {
            guard case .attribute(.variable(.root), let attribute) = key.expression else { return nil }
            slots.insert(attribute.slot)
        }
        return slots.sorted()
    }

    /// The positions of the results among all matching rows.
    package var window: Range<Int> {
        let start = max(0, query.offset)
        let (end, isTooLarge) = start.addingReportingOverflow(max(0, query.limit ?? .max))
        return start..<(isTooLarge ? .max : max(start, end))
    }

    /// The number of rows held beyond the end of a window, so that rows that leave are replaced without a fetch.
    private var reserve: Int { leastReserve + min(window.upperBound / 4, 4096) }

    /// The number of rows to hold; `nil` for all.
    package var heldLimit: Int? {
        guard query.limit != nil else { return nil }
        let (limit, isTooLarge) = window.upperBound.addingReportingOverflow(reserve)
        return isTooLarge ? nil : limit
    }

    /// The number of rows above which the last ones are given up.
    var mostHeld: Int? { heldLimit.map { [$0, reserve].saturatingSum() } }
}
