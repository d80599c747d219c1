import ObjectGraph

/// The first members of a relationship, and the total count.
package struct MemberPage: Sendable, Hashable {
    package let first: [ObjectID]
    package let count: Int

    package init(first: [ObjectID], count: Int) {
        self.first = first
        self.count = count
    }
}
