import ObjectGraph

/// A lender of rows that reports when a relationship reads as empty because its links cannot be read.
protocol EmptyReadReporting {
    func readsEmpty(_ relationship: String, of id: ObjectID)
}
