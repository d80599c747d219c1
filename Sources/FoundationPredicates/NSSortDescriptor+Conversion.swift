import Foundation

extension NSSortDescriptor {
    /// The order of a `SortDescriptor`. Texts sort by their bytes, as `SortDescriptor` sorts them on this platform. A store can
    /// sort by it where the key path has a name.
    public convenience init<Compared: NSObject>(_ sortDescriptor: SortDescriptor<Compared>) {
        let isAscending = sortDescriptor.order == .forward
        guard let keyPath = sortDescriptor.keyPath else {
            // The objects themselves, by the program's comparator.
            var order = sortDescriptor
            order.order = .forward
            self.init(
                key: nil, ascending: isAscending,
                comparator: { [order] left, right in
                    guard let left = left as? Compared, let right = right as? Compared else { return .orderedSame }
                    return order.compare(left, right)
                })
            return
        }
        self.init(
            KeyedSortDescriptor(
                key: KeyPathText.text(of: keyPath), ascending: isAscending, selector: "compare:",
                ordering: .keyPath({ ($0 as? Compared)?[keyPath: keyPath] }, nil)))
    }
}
