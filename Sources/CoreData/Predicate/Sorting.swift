import Foundation

extension Sequence {
    /// The elements in the order of the sort descriptors; those that they do not tell apart stay as they were.
    fileprivate func inOrder(of descriptors: [NSSortDescriptor]) -> [Element] {
        sorted { first, second in
            for descriptor in descriptors {
                let order = descriptor.compare(first, to: second)
                if order != .orderedSame { return order == .orderedAscending }
            }
            return false
        }
    }
}

extension NSArray {
    /// The objects in the order of the sort descriptors.
    public func sortedArray(using descriptors: [NSSortDescriptor]) -> [Any] { inOrder(of: descriptors) }
}

extension NSMutableArray {
    /// Puts the objects in the order of the sort descriptors.
    public func sort(using descriptors: [NSSortDescriptor]) { setArray(inOrder(of: descriptors)) }
}

extension NSSet {
    /// The objects in the order of the sort descriptors.
    public func sortedArray(using descriptors: [NSSortDescriptor]) -> [Any] { inOrder(of: descriptors) }
}

extension NSOrderedSet {
    /// The objects in the order of the sort descriptors.
    public func sortedArray(using descriptors: [NSSortDescriptor]) -> [Any] { inOrder(of: descriptors) }
}

extension NSMutableOrderedSet {
    /// Puts the objects in the order of the sort descriptors.
    public func sort(using descriptors: [NSSortDescriptor]) {
        let sorted = inOrder(of: descriptors)
        removeAllObjects()
        addObjects(from: sorted)
    }
}
