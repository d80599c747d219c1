import ObjectGraph

/// Links among staged rows. Each is told once or twice, from one end or both; both must say the same.
extension StagedRows {
    /// Every row that tells of links, with where it was found.
    /// - Parameter body: may add links; throws to stop.
    /// - Throws: `SQLiteError`, and what the body throws.
    package func forEachTold(_ body: (Row, _ origin: String, [ToldLink]) throws -> Void) throws {
        try connection.withStatement(StagingTables.selectTold) { statement in
            while try statement.step() {
                let links = statement.withBytes(at: 2, Self.links)
                try body(Row(number: statement.integer(at: 0)), statement.text(at: 1), links)
            }
        }
    }

    /// Lets a row's to-one relationship lead to another row.
    /// - Returns: `false` where it leads elsewhere already.
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

    /// Links that no to-one key tells, and the order of those whose order counts.
    package enum LinkTeller {
        /// The end whose members have the order in which they are given. They come before others.
        case owner
        /// The other end, or one of a relationship without order.
        case anybody
    }

    /// - Throws: `SQLiteError`.
    package func link(_ owner: Row, _ relationship: EntityRelationship, to members: [Row], by teller: LinkTeller) throws
    {
        try connection.withStatement(StagingTables.insertLink) { statement in
            for (position, member) in members.enumerated() {
                try statement.bind(owner.number, at: 1)
                try statement.bind(Int64(relationship.index), at: 2)
                try statement.bind(member.number, at: 3)
                try statement.bind(teller == .owner ? Int64(position) : nextLaterRank(), at: 4)
                try statement.run()
            }
        }
    }

    /// Above every place that an owner gives.
    private static let firstLaterRank: Int64 = 1 << 40

    private func nextLaterRank() -> Int64 {
        laterLinkCount += 1
        return Self.firstLaterRank + laterLinkCount
    }

    /// Rows that lead nowhere along a to-one relationship: where the first was found, and how many they are; `nil` where all
    /// lead somewhere.
    /// - Throws: `SQLiteError`.
    package func rows(of entity: Entity, leadingNowhereAt slot: Int) throws -> (origin: String, count: Int)? {
        if count(of: entity) == 0 { return nil }
        return try connection.withStatement(StagingTables.selectUnreferring) { statement in
            try statement.bind(Row(entityIndex: entity.index, place: 0).number, at: 1)
            try statement.bind(Row(entityIndex: entity.index + 1, place: 0).number - 1, at: 2)
            try statement.bind(Int64(slot), at: 3)
            return try statement.step() ? (statement.text(at: 0), Int(statement.integer(at: 1))) : nil
        }
    }

    /// A row whose relationship has fewer or more members than it may have.
    package struct Miscount {
        /// Where the row was found.
        package let origin: String
        package let count: Int
        /// How many rows have a wrong number of members.
        package let rowCount: Int
    }

    /// The first row with a wrong number of members; `nil` for none. Either end may have told of a link.
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
            try statement.bind(Int64(rule.isOptional ? 1 : 0), at: 6)
            try statement.bind(Int64(rule.minimumCount), at: 7)
            try statement.bind(rule.maximumCount > 0 ? Int64(rule.maximumCount) : .max, at: 8)
            guard try statement.step() else { return nil }
            return Miscount(
                origin: statement.text(at: 0), count: Int(statement.integer(at: 1)),
                rowCount: Int(statement.integer(at: 2)))
        }
    }
}
