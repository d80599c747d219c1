import ObjectGraph
import StoreSQL

/// The triggers that keep one derived attribute current, whichever program writes the rows it depends on.
///
/// Each trigger recomputes the value for all rows that the event may affect, except for counts and sums of whole numbers
/// (`Tally`). Names follow Apple's. Triggers in files call only SQLite's own functions; those that need others are
/// temporary triggers of a connection.
struct DerivedTriggers {
    let derived: DerivedColumn

    enum Place {
        case file
        /// Triggers that exist as long as a connection.
        case connection
    }

    func statements(_ place: Place) -> [String] {
        let head = place == .file ? "CREATE TRIGGER" : "CREATE TEMP TRIGGER IF NOT EXISTS"
        return (derived.value.kind == .now ? timeTriggers : triggers).map { "\(head) \($0)" }
    }

    private var triggers: [String] {
        [sourceInsert] + updates(ofLevel: 0) + derived.hops.indices.flatMap { memberTriggers(level: $0 + 1) }
    }

    // MARK: Rows with the attribute

    private var sourceInsert: String {
        trigger(.source, "INSERT", on: derived.table, for: Affected(level: 0, test: "= NEW.\(SystemTables.keyColumn)"))
    }

    /// Sets the time for a new row without one (a restored row has one), and whenever a save raises the version.
    private var timeTriggers: [String] {
        let (key, version) = (SystemTables.keyColumn, SystemTables.versionColumn)
        let set =
            "BEGIN UPDATE \(derived.table) SET \(derived.column) = \(DerivationFunctions.now)() WHERE \(key) = NEW.\(key); END"
        let has = derived.andHasAttribute("NEW")
        return [
            "\(derived.triggerName(derived.table, "INSERT")) AFTER INSERT ON \(derived.table) FOR EACH ROW "
                + "WHEN NEW.\(derived.column) IS NULL\(has) \(set)",
            "\(derived.triggerName(derived.table, "UPDATE")) AFTER UPDATE OF \(version) ON \(derived.table) FOR EACH ROW "
                + "WHEN NEW.\(version) > coalesce(OLD.\(version), 0)\(has) \(set)",
        ]
    }

    // MARK: Rows that the value depends on

    private func memberTriggers(level: Int) -> [String] {
        let hop = derived.hops[level - 1]
        switch hop.link {
        case .memberKey(let key):
            if let tally = Tally(derived, key: key) { return tallyTriggers(tally, on: hop.table) }
            // Affects the rows that lose a member, and those that gain it.
            return [
                trigger(.member(level), "INSERT", on: hop.table, for: Affected(level: level - 1, test: "= NEW.\(key)")),
                trigger(.member(level), "DELETE", on: hop.table, for: Affected(level: level - 1, test: "= OLD.\(key)")),
                update(
                    .member(level), of: [key] + columnsRead(atLevel: level), on: hop.table,
                    for: Affected(level: level - 1, test: "IN (OLD.\(key), NEW.\(key))")),
            ]
        case .key: return rowTriggers(level: level)
        case .join(let table, let owner, let member):
            let links = [("INSERT", "= NEW.\(owner)"), ("DELETE", "= OLD.\(owner)")].map { event, test in
                trigger(.member(level), event, on: table, for: Affected(level: level - 1, test: test))
            }
            let moved = update(
                .member(level), of: [owner, member], on: table,
                for: Affected(level: level - 1, test: "IN (OLD.\(owner), NEW.\(owner))"))
            return links + [moved] + rowTriggers(level: level)
        }
    }

    /// Keys may refer to rows before they exist, and after they are deleted.
    private func rowTriggers(level: Int) -> [String] {
        let table = derived.hops[level - 1].table
        let ends = [("INSERT", "NEW"), ("DELETE", "OLD")].map { event, row in
            trigger(
                .member(level), event, on: table,
                for: Affected(level: level, test: "= \(row).\(SystemTables.keyColumn)"))
        }
        return ends + updates(ofLevel: level)
    }

    /// Reacts to changes in the row itself, except for its link to rows of the previous level.
    private func updates(ofLevel level: Int) -> [String] {
        let columns = columnsRead(atLevel: level)
        if columns.isEmpty { return [] }
        let table = level == 0 ? derived.table : derived.hops[level - 1].table
        let affected = Affected(level: level, test: "= NEW.\(SystemTables.keyColumn)")
        return [update(level == 0 ? .source : .member(level), of: columns, on: table, for: affected)]
    }

    /// The columns of a level's rows that continue the path, or that are read.
    private func columnsRead(atLevel level: Int) -> [String] {
        guard level < derived.hops.count else { return derived.source.map { [$0] } ?? [] }
        if case .key(_, let column) = derived.hops[level].link { return [column] }
        return []
    }

    private func tallyTriggers(_ tally: Tally, on table: String) -> [String] {
        let key = tally.key
        return [
            trigger(
                .member(1), "INSERT", on: table,
                doing: [assignment(tally.changed(by: "+ \(tally.amount("NEW"))"), where: "= NEW.\(key)")]),
            trigger(
                .member(1), "DELETE", on: table,
                doing: [assignment(tally.changed(by: "- \(tally.amount("OLD"))"), where: "= OLD.\(key)")]),
            trigger(
                .member(1), "UPDATE", of: [key] + columnsRead(atLevel: 1), on: table,
                doing: [
                    assignment(
                        tally.changed(by: "- \(tally.amount("OLD"))"),
                        where: "= OLD.\(key) AND NEW.\(key) IS NOT OLD.\(key)"),
                    assignment(
                        tally.changed(by: "+ \(tally.amount("NEW"))"),
                        where: "= NEW.\(key) AND NEW.\(key) IS NOT OLD.\(key)"),
                    assignment(
                        tally.changed(by: "+ \(tally.amount("NEW")) - \(tally.amount("OLD"))"),
                        where: "= NEW.\(key) AND NEW.\(key) IS OLD.\(key)"),
                ]),
        ]
    }

    // MARK: Text

    private enum Role {
        case source
        case member(Int)

        var name: String {
            switch self {
            case .source: "SOURCE"
            case .member(1): "PARAMETER"
            case .member(let level): "PARAMETER\(level)"
            }
        }
    }

    /// The rows at one level whose keys pass a test.
    private struct Affected {
        let level: Int
        let test: String
    }

    private func update(_ role: Role, of columns: [String], on table: String, for affected: Affected) -> String {
        trigger(role, "UPDATE", of: columns, on: table, for: affected)
    }

    private func trigger(
        _ role: Role, _ event: String, of columns: [String] = [], on table: String, for affected: Affected
    ) -> String {
        trigger(
            role, event, of: columns, on: table,
            doing: [assignment(derived.expression(of: derived.table), where: owners(of: affected))])
    }

    private func trigger(
        _ role: Role, _ event: String, of columns: [String] = [], on table: String, doing statements: [String]
    ) -> String {
        let list = columns.isEmpty ? "" : " OF \(columns.joined(separator: ", "))"
        return "\(derived.triggerName(table, "\(role.name)_\(event)")) AFTER \(event)\(list) ON \(table) FOR EACH ROW "
            + "BEGIN \(statements.joined(separator: "; ")); END"
    }

    /// - Parameter test: A test of the rows' keys.
    private func assignment(_ value: String, where test: String) -> String {
        "UPDATE \(derived.table) SET \(derived.column) = \(value) "
            + "WHERE \(SystemTables.keyColumn) \(test)\(derived.andHasAttribute())"
    }

    /// A test for keys of rows with the attribute whose path includes the affected rows.
    private func owners(of affected: Affected) -> String {
        let key = SystemTables.keyColumn
        return derived.hops.prefix(affected.level).reversed().reduce(affected.test) { test, hop in
            switch hop.link {
            case .key(let table, let column): "IN (SELECT \(key) FROM \(table) WHERE \(column) \(test))"
            case .memberKey(let column): "IN (SELECT \(column) FROM \(hop.table) WHERE \(key) \(test))"
            case .join(let table, let owner, let member): "IN (SELECT \(owner) FROM \(table) WHERE \(member) \(test))"
            }
        }
    }
}

/// A count or a sum of whole numbers that is changed by the difference a member makes, so that writing one member does
/// not read all members of its owner.
private struct Tally {
    private let derived: DerivedColumn
    /// The members' key of their owner.
    let key: String

    /// - Returns: `nil` for other values. If members are in the owners' own table, the value is recomputed, because a row
    ///   may be its own member.
    init?(_ derived: DerivedColumn, key: String) {
        guard derived.hops.count == 1, derived.hops[0].table != derived.table,
            derived.value.kind == .count || derived.isWhole
        else { return nil }
        self.derived = derived
        self.key = key
    }

    func amount(_ row: String) -> String { derived.source.map { "IFNULL(\(row).\($0), 0)" } ?? "1" }

    /// The changed value; recomputed if there is none, or if the result is not a whole number of 64 bits.
    func changed(by difference: String) -> String {
        let value = "\(derived.column) \(difference)"
        return "CASE typeof(\(value)) WHEN 'integer' THEN \(value) ELSE \(derived.expression(of: derived.table)) END"
    }
}
