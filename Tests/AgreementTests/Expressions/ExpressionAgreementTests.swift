import ObjectGraph
import SQLiteStore
import TestSupport
import Testing

/// SQL and the evaluator in memory give the same result for random expressions over random rows.
@Suite("Random expressions: SQL and memory agree")
struct ExpressionAgreementTests {
    private static let treesPerRound = 130

    @Test("predicates find the same rows, and their negations the others", arguments: Seeds.rounds(16))
    func predicates(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rows = try ZooRows(&random)
        let agreement = Agreement(rows: rows)
        var refused = 0
        for number in 0..<Self.treesPerRound {
            var maker = ExpressionMaker(rows: rows, random: random)
            let root = maker.random.roll(rows.model.entities.count)
            let known = [ExpressionMaker.Known(expression: .variable(.root), entityIndex: root)]
            let predicate = maker.test(known, depth: 1 + maker.random.roll(5))
            random = maker.random
            guard agreement.isTranslatable(predicate, root) else {
                refused += 1
                continue
            }
            for tested in [predicate, .not(predicate)] {
                guard let difference = try agreement.difference(tested, root) else { continue }
                let least = try agreement.least(of: tested, root)
                Issue.record("seed \(seed), tree \(number), \(difference)\n  tree: \(tested)\n  least part: \(least)")
                return
            }
        }
        #expect(refused * 20 < Self.treesPerRound, "seed \(seed): \(refused) trees were refused")
    }

    @Test("several sort keys with nils, and windows, give the same rows in the same order", arguments: Seeds.rounds(10))
    func sorting(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 0x5051)
        let rows = try ZooRows(&random)
        let agreement = Agreement(rows: rows)
        for number in 0..<Self.treesPerRound {
            var maker = ExpressionMaker(rows: rows, random: random)
            let root = maker.random.roll(rows.model.entities.count)
            let known = [ExpressionMaker.Known(expression: .variable(.root), entityIndex: root)]
            var query = Query(entityIndex: root)
            query.includesSubentities = maker.random.chance(75)
            if maker.random.chance(50) { query.predicate = maker.test(known, depth: maker.random.roll(3)) }
            for _ in 0..<maker.random.roll(4) {
                query.sort.append(
                    SortKey(
                        maker.anything(known, depth: maker.random.roll(3)), ascending: maker.random.chance(50),
                        textOrder: maker.random.pick(TextOrder.allCases) ?? .binary))
            }
            if maker.random.chance(50) { query.limit = maker.random.roll(9) - 1 }
            if maker.random.chance(50) { query.offset = maker.random.roll(9) - 1 }
            random = maker.random
            guard agreement.isTranslatable(query) else { continue }
            let expected = try agreement.inMemory(query)
            let context = Comment(rawValue: "seed \(seed), query \(number): \(query)")
            let found = try rows.store.fetchIDs(query)
            #expect(found == expected, context)
            #expect(try rows.store.fetch(query).map(\.id) == expected, context)
            #expect(try rows.store.count(query) == expected.count, context)
            if found != expected { return }
        }
    }
}

/// Evaluates on both sides and reports differences.
struct Agreement {
    let rows: ZooRows
    func isTranslatable(_ predicate: QueryExpression, _ root: Int) -> Bool {
        isTranslatable(Query(entityIndex: root, predicate: predicate))
    }

    func isTranslatable(_ query: Query) -> Bool {
        do {
            _ = try rows.store.count(query)
            return true
        } catch is UntranslatableExpression {
            return false
        } catch {
            Issue.record("\(error)\n  query: \(query)")
            return false
        }
    }

    func inMemory(_ query: Query) throws -> [ObjectID] { try rows.memory.fetchIDs(query) }

    /// A description of the difference; `nil` if there is none.
    func difference(_ predicate: QueryExpression, _ root: Int) throws -> String? {
        let query = Query(entityIndex: root, predicate: predicate)
        let (sql, memory) = (try rows.store.fetchIDs(query), try inMemory(query))
        if sql == memory { return nil }
        return "root \(rows.model[root].name): only SQL finds \(sql.filter { !memory.contains($0) }), only memory "
            + "\(memory.filter { !sql.contains($0) })"
    }

    /// The smallest part without bound variables that differs by itself.
    func least(of expression: QueryExpression, _ root: Int) throws -> QueryExpression {
        for child in expression.children where isClosed(child) && isTranslatable(child, root) {
            for tested in [child, .not(child), .compare(.equal, child, .literal(.null))] {
                if try difference(tested, root) != nil { return try least(of: child, root) }
            }
        }
        return expression
    }

    private func isClosed(_ expression: QueryExpression) -> Bool {
        if case .variable(let variable) = expression { return variable == .root }
        return expression.children.allSatisfy(isClosed)
    }
}
