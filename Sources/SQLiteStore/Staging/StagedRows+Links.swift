import ObjectGraph

/// Links among staged rows. A link is given by one of its ends or by both, which must agree.
extension StagedRows {
    /// Passes every row that gives links, with its origin.
    /// - Parameter body: May add links; an error thrown here stops the iteration.
    /// - Throws: `SQLiteError`, and the errors of the body.
    package func forEachGivenLink(_ body: (Row, _ origin: String, [GivenLink]) throws -> Void) throws {
        try connection.withStatement(StagingTables.selectGivenLinks) { statement in
            while try statement.step() {
                let links = statement.withBytes(at: 2, Self.links)
                try body(Row(number: statement.integer(at: 0)), statement.text(at: 1), links)
            }
        }
    }

    /// Sets a row's to-one relationship.
    /// - Returns: `false` if it already refers to another row.
    /// - Throws: `SQLiteError`.
    package func refer(_ row: Row, slot: Int, to target: Row) throws -> Bool {
        try referring.bind(row.number, at: 1)
        try referring.bind(Int64(slot), at: 2)
        try referring.bind(target.number, at: 3)
        try referring.run()
        if connection.changeCount > 0 { return true }
        return try connection.withStatement(StagingTables.selectReference) { statement in
            try statement.bind(row.number, at: 1)
            try statement.bind(Int64(slot), at: 2)
            return try statement.step() && statement.integer(at: 0) == target.number
        }
    }

    /// The end that gives a link without a to-one key, which determines the order.
    package enum LinkOrigin {
        /// The owner, whose members have the order in which they are given. They precede other members.
        case owner
        /// The other end, or an end of an unordered relationship.
        case otherEnd
    }

    /// - Throws: `SQLiteError`.
    package func link(_ owner: Row, _ relationship: EntityRelationship, to members: [Row], by linkOrigin: LinkOrigin)
        throws
    {
        try connection.withStatement(StagingTables.insertLink) { statement in
            for (position, member) in members.enumerated() {
                try statement.bind(owner.number, at: 1)
                try statement.bind(Int64(relationship.index), at: 2)
                try statement.bind(member.number, at: 3)
                try statement.bind(linkOrigin == .owner ? Int64(position) : nextLaterRank(), at: 4)
                try statement.run()
            }
        }
    }

    /// Larger than any rank that an owner gives.
    private static let firstLaterRank: Int64 = 1 << 40

    private func nextLaterRank() -> Int64 {
        laterLinkCount += 1
        return Self.firstLaterRank + laterLinkCount
    }

    /// Finds rows without a destination in a to-one relationship: the origin of the first and their number; `nil` if all
    /// rows have one.
    /// - Throws: `SQLiteError`.
    package func rows(of entity: Entity, withoutDestinationAt slot: Int) throws -> (origin: String, count: Int)? {
        if count(of: entity) == 0 { return nil }
        return try connection.withStatement(StagingTables.selectUnreferring) { statement in
            try statement.bind(Row(entityIndex: entity.index, place: 0).number, at: 1)
            try statement.bind(Row(entityIndex: entity.index + 1, place: 0).number - 1, at: 2)
            try statement.bind(Int64(slot), at: 3)
            return try statement.step() ? (statement.text(at: 0), Int(statement.integer(at: 1))) : nil
        }
    }

    /// A row whose relationship has too few or too many members.
    package struct Miscount {
        /// The origin of the row.
        package let origin: String
        package let count: Int
        /// The number of rows with a wrong number of members.
        package let rowCount: Int
    }

    /// Returns the first row with a wrong number of members; `nil` if there is none. Counts links given by either end.
    /// - Throws: `SQLiteError`.
    package func miscount(of relationship: EntityRelationship, _ entity: Entity) throws -> Miscount? {
        if count(of: entity) == 0 { return nil }
        let (rule, inverse) = (relationship.relationship, model.inverse(of: relationship))
        let sql = StagingTables.selectMiscount(
            memberEntities: model.destination(of: relationship).familyIndexes, entityShift: Row.placeBits)
        return try connection.withStatement(sql) { statement in
            try statement.bind(Row(entityIndex: entity.index, place: 0).number, at: 1)
            try statement.bind(Row(entityIndex: entity.index + 1, place: 0).number - 1, at: 2)
            try statement.bind(Int64(relationship.index), at: 3)
            try statement.bind(Int64(inverse?.index ?? -1), at: 4)
            try statement.bind(Int64(inverse?.slot ?? -1), at: 5)
            let refused = rule.refusedCounts ?? 0..<0
            try statement.bind(Int64(refused.lowerBound), at: 6)
            try statement.bind(Int64(refused.upperBound), at: 7)
            try statement.bind(Int64(rule.mostCount ?? .max), at: 8)
            guard try statement.step() else { return nil }
            return Miscount(
                origin: statement.text(at: 0), count: Int(statement.integer(at: 1)),
                rowCount: Int(statement.integer(at: 2)))
        }
    }
}
