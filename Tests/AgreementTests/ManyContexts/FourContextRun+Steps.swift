import Foundation
import TestSupport

@testable import ObjectGraph
@testable import SwiftData

/// The possible steps. Models are found by a fetch of one, at a random place, so that only some rows are read again.
extension FourContextRun {
    func take(_ random: inout SeededGenerator) throws {
        let place = random.roll(Self.contextCount)
        switch random.roll(100) {
        case 0..<14: try insert(place, &random)
        case 14..<44: try link(place, &random)
        case 44..<49: try edit(place, &random)
        case 49..<59: try delete(place, &random)
        case 59..<63: try deleteMatching(place, &random)
        case 63..<67: try executePlan(place, &random)
        case 67..<71: try restore(&random)
        case 71..<77: try undo(place, &random)
        case 77..<80: try rollBack(place)
        case 80..<93: try saveOrLeave(place, &random)
        case 93..<95: renew(place)
        default: try checkInBetween(place)
        }
        if random.chance(50) { contexts[place].processPendingChanges() }
    }

    // MARK: Finding models

    /// One of the models that the context sees, read by a fetch of one.
    private func one(_ type: any Tagged.Type, _ place: Int, _ random: inout SeededGenerator) throws -> (any Tagged)? {
        func fetch<T: Tagged>(_ type: T.Type) throws -> (any Tagged)? {
            var descriptor = FetchDescriptor<T>()
            let count = try contexts[place].fetchCount(descriptor)
            descriptor.fetchLimit = 1
            descriptor.fetchOffset = random.roll(count)
            return try contexts[place].fetch(descriptor).first
        }
        return try fetch(type)
    }

    private func anyModel(_ place: Int, _ random: inout SeededGenerator) throws -> (any Tagged)? {
        guard let type = random.pick(OrganisationModels.types) else { return nil }
        return try one(type, place, &random)
    }

    private func destination(
        of relationship: EntityRelationship, _ place: Int, _ random: inout SeededGenerator
    ) throws -> (any Tagged)? {
        guard let model = contexts[place].graph.model,
            let type = OrganisationModels.type(named: model.destination(of: relationship).name)
        else { return nil }
        return try one(type, place, &random)
    }

    private static func name(_ model: (any Tagged)?) -> String {
        model.map { "\($0.record.entity.name) \($0.tag)" } ?? "none"
    }

    // MARK: Inserting and editing

    private func insert(_ place: Int, _ random: inout SeededGenerator) throws {
        guard let model = try newModel(place, &random) else { return }
        note("\(place) inserts \(Self.name(model))")
        contexts[place].insert(model)
    }

    private func newModel(_ place: Int, _ random: inout SeededGenerator) throws -> (any Tagged)? {
        let (tag, number) = (newTag(), random.roll(5))
        switch random.roll(10) {
        case 0..<2:
            let code = random.chance(40) ? random.pick(["a", "b", "c", "d"]) : nil
            return Organisation(tag: tag, number: number, code: code)
        case 2..<5: return Item(tag: tag, number: number)
        case 5: return Kit(tag: tag, number: number)
        case 6:
            let owner = try one(Organisation.self, place, &random) as? Organisation
            return owner.map { Contract(tag: tag, number: number, organisation: $0) }
        case 7..<9:
            let item = try one(Item.self, place, &random) as? Item
            return item.map { Badge(tag: tag, number: number, item: $0) }
        default: return Label(tag: tag, number: number)
        }
    }

    private func edit(_ place: Int, _ random: inout SeededGenerator) throws {
        guard let model = try anyModel(place, &random) else { return }
        let number = random.roll(5)
        note("\(place) sets number of \(Self.name(model)) to \(number)")
        model.number = number
        guard let organisation = model as? Organisation, random.chance(40) else { return }
        organisation.code = random.pick(["a", "b", "c", "d", "e"])
    }

    // MARK: Linking

    private func link(_ place: Int, _ random: inout SeededGenerator) throws {
        guard let owner = try anyModel(place, &random),
            let relationship = random.pick(owner.record.entity.relationships)
        else { return }
        if relationship.isToOne {
            try setDestination(of: owner, relationship, place, &random)
        } else {
            try changeMembers(of: owner, relationship, place, &random)
        }
    }

    private func setDestination(
        of owner: any Tagged, _ relationship: EntityRelationship, _ place: Int, _ random: inout SeededGenerator
    ) throws {
        let isCleared = random.chance(20) && relationship.relationship.isOptional
        let isOwn = random.chance(8) && owner.record.entity.name == relationship.destinationName(in: contexts[place])
        let new = isCleared ? nil : isOwn ? owner : try destination(of: relationship, place, &random)
        if new == nil, !isCleared { return }
        note("\(place) sets \(relationship.name) of \(Self.name(owner)) to \(Self.name(new))")
        Graph.link(owner.member, relationship, to: new.map { [$0.member] } ?? [])
    }

    private func changeMembers(
        of owner: any Tagged, _ relationship: EntityRelationship, _ place: Int, _ random: inout SeededGenerator
    ) throws {
        let graph = contexts[place].graph
        switch random.roll(4) {
        case 0..<2:
            guard let new = try destination(of: relationship, place, &random) else { return }
            note("\(place) adds \(Self.name(new)) to \(relationship.name) of \(Self.name(owner))")
            graph.add(new.record, to: relationship, of: owner.record)
        case 2:
            guard let member = random.pick(graph.members(of: owner.record, relationship)) else { return }
            note("\(place) removes \(member.id) from \(relationship.name) of \(Self.name(owner))")
            graph.remove(member, from: relationship, of: owner.record)
        default:
            let members = try (0..<random.roll(4)).compactMap { _ in
                try destination(of: relationship, place, &random)
            }
            note("\(place) sets \(relationship.name) of \(Self.name(owner)) to \(members.map(Self.name))")
            Graph.link(owner.member, relationship, to: members.map(\.member))
        }
    }

    // MARK: Deleting and restoring

    private func delete(_ place: Int, _ random: inout SeededGenerator) throws {
        guard let model = try anyModel(place, &random) else { return }
        note("\(place) deletes \(Self.name(model))")
        contexts[place].delete(model)
    }

    private func deleteMatching(_ place: Int, _ random: inout SeededGenerator) throws {
        let (type, number, context) = (random.roll(5), random.roll(5), contexts[place])
        note("\(place) deletes every \(OrganisationModels.roots[type]) with \(number)")
        switch type {
        case 0: try context.delete(model: Organisation.self, where: #Predicate { $0.number == number })
        case 1: try context.delete(model: Item.self, where: #Predicate { $0.number == number })
        case 2: try context.delete(model: Badge.self, where: #Predicate { $0.number == number })
        case 3: try context.delete(model: Contract.self, where: #Predicate { $0.number == number })
        default: try context.delete(model: Label.self, where: #Predicate { $0.number == number })
        }
    }

    /// Outside of the contexts, at once; half of them can be restored.
    private func executePlan(_ place: Int, _ random: inout SeededGenerator) throws {
        guard let model = try anyModel(place, &random), !model.record.id.isTemporary else { return }
        let plan = try contexts[place].deletionPlan(for: [model.persistentModelID])
        guard plan.isPossible else { return }
        let isKept = random.chance(50)
        note("\(place) executes a plan for \(Self.name(model))\(isKept ? ", recoverably" : "")")
        if let token = try isKept ? plan.executeAndArchive() : plan.execute() { tokens.append(token) }
    }

    private func restore(_ random: inout SeededGenerator) throws {
        let (place, container) = (random.roll(tokens.count), random.roll(2))
        guard tokens.indices.contains(place) else { return }
        let token = tokens.remove(at: place)
        let restored = try containers[container].restoreSkippingConflicts(token)
        note("container \(container) restores \(restored.count) models, \(restored.skipped.count) skipped")
    }

    // MARK: Undo and rollback

    private func undo(_ place: Int, _ random: inout SeededGenerator) throws {
        guard let manager = contexts[place].undoManager else { return }
        let isUndo = random.chance(70)
        guard isUndo ? manager.canUndo : manager.canRedo else { return }
        note("\(place) \(isUndo ? "undoes" : "redoes")")
        if isUndo { manager.undo() } else { manager.redo() }
        try renameReinserted(place)
    }

    /// Models inserted again by undo get new tags: another context may restore their former rows. An existing row must not be
    /// inserted a second time.
    private func renameReinserted(_ place: Int) throws {
        let inserted = contexts[place].graph.insertedRecords
        if inserted.isEmpty { return }
        let stored = try storedTags()
        for record in inserted {
            guard let slot = record.entity.attribute(named: "tag")?.slots.lowerBound,
                case .integer(let tag) = record.value(slot)
            else { continue }
            if stored.contains(tag) {
                throw FailedCheck(kind: .doubledRow, text: "\(place) inserts tag \(tag) anew, which is stored")
            }
            record.setUnnoticed(.integer(Int64(newTag())), at: slot)
        }
    }

    private func rollBack(_ place: Int) throws {
        note("\(place) rolls back")
        contexts[place].rollback()
    }

    private func saveOrLeave(_ place: Int, _ random: inout SeededGenerator) throws {
        let isRolledBack = random.chance(50)
        note("\(place) saves")
        if try !save(place), isRolledBack { contexts[place].rollback() }
    }

    private func renew(_ place: Int) {
        note("\(place) is a new context")
        contexts[place] = makeContext(at: place)
    }

    private func checkInBetween(_ place: Int) throws {
        guard !contexts[place].hasChanges else { return }
        note("\(place) is checked")
        try ContextContents(contexts[place]).checkInverses(place)
    }
}

extension EntityRelationship {
    fileprivate func destinationName(in context: ModelContext) -> String? {
        context.graph.model?.destination(of: self).name
    }
}
