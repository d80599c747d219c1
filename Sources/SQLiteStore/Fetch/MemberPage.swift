import ObjectGraph

/// Some members of a relationship, and how many it has.
package struct MemberPage: Sendable, Hashable {
    package let first: [ObjectID]
    package let count: Int

    package init(first: [ObjectID], count: Int) {
        self.first = first
        self.count = count
    }
}
