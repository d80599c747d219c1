@testable import ObjectGraph

/// A context with followed queries, and a copy of the results of each, to which only differences are applied.
final class FollowedContext {
    let context: ContextUnderTest
    let name: String
    private let follower: LiveFollower
    private var followed: [Followed] = []
    private var aggregates: [(aggregate: LiveAggregate, copy: [RowGroup])] = []
    private(set) var refetches: [LiveRefetch: Int] = [:]
    private(set) var differences = 0
    private(set) var moves = 0
    private(set) var sectionChanges = 0
    private(set) var refills = 0
    /// How often SQL had another result than the evaluation in memory.
    private(set) var deviations = 0

    private struct Followed {
        let results: LiveResults
        var copy: [ObjectID]
        var sections: [ValueKey]
    }

    init(_ context: ContextUnderTest, name: String, queries: [LiveQuery], groups: [GroupQuery]) throws {
        self.context = context
        self.name = name
        guard let follower = LiveFollower(context.graph) else { throw Difference(text: "The graph is detached.") }
        self.follower = follower
        for query in queries {
            let results = try follower.follow(query)
            followed.append(Followed(results: results, copy: results.ids, sections: results.sectionKeys))
        }
        for (place, query) in groups.enumerated() {
            // One of them as if its rows were many.
            let aggregate = try follower.follow(query, place == 0 ? HoldingRule(rowsHeldAtOnce: 0) : HoldingRule())
            aggregates.append((aggregate, aggregate.groups))
        }
    }

    /// Processes what has changed, and compares the results with the copies.
    func update() throws {
        var failure: (any Error)?
        let updates = follower.update { failure = $0 }
        if let failure { throw failure }
        for update in updates {
            if let place = aggregates.firstIndex(where: { $0.aggregate.results === update.results }) {
                apply(update.difference, to: &aggregates[place])
            }
            guard let place = followed.firstIndex(where: { $0.results === update.results }) else { continue }
            try apply(update.difference, to: &followed[place])
        }
        for (place, followed) in followed.enumerated() {
            try expect(
                followed.copy == followed.results.ids,
                "\(name), query \(place): applied \(followed.copy), maintained \(followed.results.ids), "
                    + "\(updates.filter { $0.results === followed.results }.map(\.difference))")
            try expect(
                followed.sections == followed.results.sectionKeys,
                "\(name), query \(place): sections \(followed.sections), maintained \(followed.results.sectionKeys)")
        }
    }

    private func apply(
        _ difference: LiveDifference, to followed: inout (aggregate: LiveAggregate, copy: [RowGroup])
    ) {
        let present = followed.aggregate.groups
        if difference.isRefetched || followed.aggregate.query.keys.isEmpty { return followed.copy = present }
        for index in difference.removedSections.reversed() { followed.copy.remove(at: index) }
        for index in difference.insertedSections { followed.copy.insert(present[index], at: index) }
        for index in difference.changedSections { followed.copy[index] = present[index] }
    }

    private func compareGroups() throws {
        guard let model = context.graph.model else { return }
        let evaluator = QueryEvaluator(GraphObjects(graph: context.graph, model: model))
        for (place, followed) in aggregates.enumerated() {
            let query = followed.aggregate.query
            let records = try context.graph.fetchEvaluating(query.rows)
            var members: [[ValueKey]: [Record]] = query.keys.isEmpty ? [[]: []] : [:]
            for record in records {
                let key = try query.keys.map { ValueKey(try evaluator.value($0, root: record)) }
                members[key, default: []].append(record)
            }
            let expected = try members.mapValues { records in
                try query.results.map { result in
                    result.function.apply(
                        try records.map { try evaluator.value(result.operand, root: $0) }, with: result.numbers)
                }
            }
            let groups = followed.aggregate.groups
            let found = Dictionary(
                groups.map { ($0.keys.map(ValueKey.init), $0.results) }, uniquingKeysWith: { first, _ in first })
            try expect(
                found == expected, "\(name), groups \(place) \(query): \(found), expected \(expected)")
            try expect(followed.copy == groups, "\(name), groups \(place): applied \(followed.copy), are \(groups)")
            try expect(
                zip(groups, groups.dropFirst()).allSatisfy { one, other in
                    query.keys.map { SortKey($0) }.order(one.keys, other.keys) < 0
                }, "\(name), groups \(place): \(groups) are out of order")
        }
    }

    private func apply(_ difference: LiveDifference, to followed: inout Followed) throws {
        differences += 1
        moves += difference.removals.count { $0.destination != nil }
        sectionChanges += difference.removedSections.count + difference.insertedSections.count
        try check(difference, followed)
        followed.copy.apply(difference)
        for index in difference.removedSections.reversed() { followed.sections.remove(at: index) }
        let present = followed.results.sectionKeys
        for index in difference.insertedSections { followed.sections.insert(present[index], at: index) }
    }

    /// Each position has the object that the difference names.
    private func check(_ difference: LiveDifference, _ followed: Followed) throws {
        let (former, present) = (followed.copy, followed.results.ids)
        for removal in difference.removals {
            try expect(former[removal.position] == removal.id, "\(name): \(removal) of \(former)")
        }
        for insertion in difference.insertions {
            try expect(present[insertion.position] == insertion.id, "\(name): \(insertion) into \(present)")
            guard let origin = insertion.origin else {
                try expect(!former.contains(insertion.id), "\(name): \(insertion) is a move")
                continue
            }
            let removal = difference.removals.first { $0.position == origin }
            try expect(removal?.destination == insertion.position, "\(name): \(insertion) from \(difference.removals)")
        }
        for stay in difference.updates {
            try expect(present[stay.position] == stay.id, "\(name): \(stay) in \(present)")
            try expect(former.contains(stay.formerID ?? stay.id), "\(name): \(stay) was not in \(former)")
        }
    }

    /// Compares all results with fetches.
    func compare() throws {
        try compareGroups()
        for (place, followed) in followed.enumerated() {
            let query = followed.results.query.query
            var fetched = try context.graph.fetch(query)
            let found = followed.results.ids
            if found != fetched.map(\.id) {
                // SQL counts join rows and references that deletes without effect on the other end have left behind.
                fetched = try context.graph.fetchEvaluating(query)
                deviations += 1
            }
            try expect(
                found == fetched.map(\.id),
                "\(name), query \(place) \(query): \(found.map(describe)), fetched \(fetched.map(context.label))")
            try compareSections(of: followed.results, fetched)
            for (position, id) in found.enumerated() {
                try expect(followed.results.position(of: id) == position, "\(name): position of \(id)")
                try expect(followed.results[position] == id, "\(name): result at \(position)")
            }
        }
    }

    private func describe(_ id: ObjectID) -> String {
        context.graph.registeredRecord(for: id).map { "\(context.label($0)) \(id)" } ?? "\(id)"
    }

    private func compareSections(of results: LiveResults, _ fetched: [Record]) throws {
        guard results.isSectioned, let key = results.query.query.sort.first, let model = context.graph.model else {
            return
        }
        let evaluator = QueryEvaluator(GraphObjects(graph: context.graph, model: model))
        var expected: [(value: Value, range: Range<Int>)] = []
        for (position, record) in fetched.enumerated() {
            let value = try evaluator.value(key.expression, root: record)
            if let last = expected.last, ValueOrder.compare(last.value, value) == 0 {
                expected[expected.count - 1].range = last.range.lowerBound..<position + 1
            } else {
                expected.append((value, position..<position + 1))
            }
        }
        let found = results.sections
        try expect(
            found.map(\.range) == expected.map(\.range)
                && zip(found, expected).allSatisfy { ValueOrder.compare($0.value, $1.value) == 0 },
            "\(name): sections \(found), expected \(expected)")
        for (index, section) in found.enumerated() {
            for position in section.range {
                try expect(results.sectionIndex(ofPosition: position) == index, "\(name): section of \(position)")
            }
        }
    }

    /// Only what cannot be followed may have been fetched again.
    /// - Parameter others: Reasons for which any query may have been fetched again.
    func checkRefetches(allowing others: Set<LiveRefetch> = []) throws {
        // The first one may be computed by the store.
        for results in followed.map(\.results) + aggregates.dropFirst().map(\.aggregate.results) {
            let mayLoseSilently = results.dependencies.nodes.contains { $0.link?.isLostSilently == true }
            let allowed = others.union(mayLoseSilently ? [.silentDeletion] : [])
            let counts = results.counts
            refills += counts.refills
            refetches.merge(counts.refetches) { $0 + $1 }
            try expect(
                Set(counts.refetches.keys).isSubset(of: allowed),
                "\(name): \(results.query.query) was fetched again: \(counts.refetches)")
        }
    }

    private func expect(_ condition: Bool, _ text: @autoclosure () -> String) throws {
        if !condition { throw Difference(text: text()) }
    }
}

extension [ObjectID] {
    /// Changes the former results to the present ones.
    fileprivate mutating func apply(_ difference: LiveDifference) {
        replace(
            removing: difference.removals.map(\.position),
            inserting: difference.insertions.map { (position: $0.position, element: $0.id) })
        for stay in difference.updates where stay.formerID != nil && indices.contains(stay.position) {
            self[stay.position] = stay.id
        }
    }
}
