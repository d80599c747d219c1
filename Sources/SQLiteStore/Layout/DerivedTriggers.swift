import ObjectGraph

/// The triggers that keep one derived attribute current, whoever writes the rows it is made from.
///
/// Each computes the value anew for the rows that the event may concern, but for counts and sums of whole numbers (`Tally`).
/// They are named as Apple's are; SQLite alone can run those in files, as they call no functions but its own. Those that
/// need others live in a connection.
struct DerivedTriggers {
    let derived: DerivedColumn

    enum Place {
        case file
        /// For as long as a connection lasts.
        case connection
    }

    func statements(_ place: Place) -> [String] {
        let head = place == .file ? "CREATE TRIGGER" : "CREATE TEMP TRIGGER IF NOT EXISTS"
        return (derived.value.kind == .now ? timeTriggers : triggers).map { "\(head) \($0)" }
    }

    private var triggers: [String] {
        [sourceInsert] + updates(ofLevel: 0) + derived.hops.indices.flatMap { memberTriggers(level: $0 + 1) }
    }

    // MARK: The rows themselves

    private var sourceInsert: String {
        trigger(.source, "INSERT", on: derived.table, for: Affected(level: 0, test: "= NEW.\(SystemTables.keyColumn)"))
    }

    /// Of a new row that brings no time of its own, as one does that comes back, and whenever a save raises the version.
    private var timeTriggers: [String] {
        let (key, version) = (SystemTables.keyColumn, SystemTables.versionColumn)
        let set =
            "BEGIN UPDATE \(derived.table) SET \(derived.column) = \(DerivationFunctions.now)() WHERE \(key) = NEW.\(key); END"
        let has = derived.andHasAttribute("NEW")
        return [
            "\(name(derived.table, "INSERT")) AFTER INSERT ON \(derived.table) FOR EACH ROW "
                + "WHEN NEW.\(derived.column) IS NULL\(has) \(set)",
            "\(name(derived.table, "UPDATE")) AFTER UPDATE OF \(version) ON \(derived.table) FOR EACH ROW "
                + "WHEN NEW.\(version) > OLD.\(version)\(has) \(set)",
        ]
    }

    // MARK: The rows it is made from

    private func memberTriggers(level: Int) -> [String] {
        let hop = derived.hops[level - 1]
        switch hop.link {
        case .memberKey(let key):
            if let tally = Tally(derived, key: key) { return tallyTriggers(tally, on: hop.table) }
            // The rows that lose a member, and those that get it.
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

    /// Keys may lead to rows before they are there, and after.
    private func rowTriggers(level: Int) -> [String] {
        let table = derived.hops[level - 1].table
        let ends = [("INSERT", "NEW"), ("DELETE", "OLD")].map { event, row in
            trigger(
                .member(level), event, on: table,
                for: Affected(level: level, test: "= \(row).\(SystemTables.keyColumn)"))
        }
        return ends + updates(ofLevel: level)
    }

    /// What a change of the row itself decides, its links to rows before it aside.
    private func updates(ofLevel level: Int) -> [String] {
        let columns = columnsRead(atLevel: level)
        if columns.isEmpty { return [] }
        let table = level == 0 ? derived.table : derived.hops[level - 1].table
        let affected = Affected(level: level, test: "= NEW.\(SystemTables.keyColumn)")
        return [update(level == 0 ? .source : .member(level), of: columns, on: table, for: affected)]
    }

    /// The columns of a level's rows that lead on from there, or are what is read.
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

    /// Rows at one level whose keys pass a test.
    private struct Affected {
        let level: Int
        let test: String
    }

    private func name(_ table: String, _ event: String) -> String {
        "\(MigrationTables.derivationTriggerPrefix)\(table)"
            + MigrationTables.derivationTriggerMark(entity: derived.entity.name, attribute: derived.attribute.name)
            + event
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
        return "\(name(table, "\(role.name)_\(event)")) AFTER \(event)\(list) ON \(table) FOR EACH ROW "
            + "BEGIN \(statements.joined(separator: "; ")); END"
    }

    /// - Parameter test: of the keys of rows.
    private func assignment(_ value: String, where test: String) -> String {
        "UPDATE \(derived.table) SET \(derived.column) = \(value) "
            + "WHERE \(SystemTables.keyColumn) \(test)\(derived.andHasAttribute())"
    }

    /// The test that keys of rows with the attribute pass whose way leads through the affected rows.
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

/// A count or a sum of whole numbers that changes by what a member brings or takes, so that an owner of many members does
/// not have them all read for each that is written.
private struct Tally {
    private let derived: DerivedColumn
    /// Of the members, to their owner.
    let key: String

    /// - Returns: `nil` for other values. Members in the owners' own table are counted anew: a row may be its own member.
    init?(_ derived: DerivedColumn, key: String) {
        guard derived.hops.count == 1, derived.hops[0].table != derived.table,
            derived.value.kind == .count || derived.isWhole
        else { return nil }
        self.derived = derived
        self.key = key
    }

    func amount(_ row: String) -> String { derived.source.map { "IFNULL(\(row).\($0), 0)" } ?? "1" }

    /// Computed anew where there is no value, or the new one is no whole number of 64 bits.
    func changed(by difference: String) -> String {
        let value = "\(derived.column) \(difference)"
        return "CASE typeof(\(value)) WHEN 'integer' THEN \(value) ELSE \(derived.expression(of: derived.table)) END"
    }
}
