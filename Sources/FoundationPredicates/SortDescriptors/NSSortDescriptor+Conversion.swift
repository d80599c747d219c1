import Foundation

extension NSSortDescriptor {
    /// Creates a sort descriptor from a `SortDescriptor`. Texts are sorted by their bytes, like those of
    /// `SortDescriptor` on this platform. A store can use it if the key path has a name.
    public convenience init<Compared: NSObject>(_ sortDescriptor: SortDescriptor<Compared>) {
        let isAscending = sortDescriptor.order == .forward
        guard let keyPath = sortDescriptor.keyPath else {
            // Compares whole objects with the program's comparator.
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
