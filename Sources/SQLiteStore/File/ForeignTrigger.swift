/// A trigger that another program added to a store's file. It runs with every write to its table.
package struct ForeignTrigger: Sendable, Hashable {
    package let name: String
    package let table: String
}
