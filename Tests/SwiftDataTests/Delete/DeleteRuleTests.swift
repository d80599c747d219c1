import Foundation
import SwiftData
import TestSupport
import Testing

enum Rules {
    @Model final class Owner {
        var name: String
        @Relationship(deleteRule: .nullify, inverse: \Nullified.owner) var nullified: [Nullified] = []
        @Relationship(deleteRule: .cascade, inverse: \Cascaded.owner) var cascaded: [Cascaded] = []
        @Relationship(deleteRule: .noAction, inverse: \Untouched.owner) var untouched: [Untouched] = []
        @Relationship(deleteRule: .deny, inverse: nil) var guarded: Nullified?
        @Relationship(deleteRule: .cascade, inverse: nil) var oneWay: Leaf?
        init(name: String) { self.name = name }
    }

    @Model final class Nullified {
        var owner: Owner?
        init() {}
    }

    @Model final class Cascaded {
        var owner: Owner?
        @Relationship(deleteRule: .cascade, inverse: \Leaf.cascaded) var leaves: [Leaf] = []
        init() {}
    }

    @Model final class Leaf {
        var cascaded: Cascaded?
        init() {}
    }

    @Model final class Untouched {
        var owner: Owner?
        init() {}
    }

    /// Many-to-many relationships whose classes sort before and after each other.
    @Model final class Alpha {
        @Relationship(inverse: \Omega.alphas) var omegas: [Omega] = []
        var betas: [Beta] = []
        init() {}
    }

    @Model final class Omega {
        var alphas: [Alpha] = []
        init() {}
    }

    @Model final class Beta {
        @Relationship(inverse: \Alpha.betas) var alphas: [Alpha] = []
        init() {}
    }
}

@Suite("Relationships and delete rules")
struct DeleteRuleTests {
    private func context() throws -> ModelContext {
        ModelContext(
            try ModelContainer(
                for: Rules.Owner.self, Rules.Alpha.self,
                configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    }

    private func count<M: PersistentModel>(_ type: M.Type, _ context: ModelContext) throws -> Int {
        try ModelContext(context.container).fetchCount(FetchDescriptor<M>())
    }

    @Test("A deleted model that is inserted again regains the links that nothing but its deletion had read")
    func insertedAgain() throws {
        let writer = try context()
        let owner = Rules.Owner(name: "owner")
        owner.nullified = [Rules.Nullified(), Rules.Nullified()]
        let alpha = Rules.Alpha()
        alpha.omegas = [Rules.Omega(), Rules.Omega()]
        writer.insert(owner)
        writer.insert(alpha)
        try writer.save()

        let context = ModelContext(writer.container)
        let again = try #require(try context.fetch(FetchDescriptor<Rules.Owner>()).first)
        let other = try #require(try context.fetch(FetchDescriptor<Rules.Alpha>()).first)
        context.delete(again)
        context.delete(other)
        #expect(context.deletedModelsArray.count == 2)
        context.insert(again)
        context.insert(other)
        #expect(again.nullified.count == 2)
        #expect(other.omegas.count == 2)
        try context.save()
        let reader = ModelContext(writer.container)
        #expect(try reader.fetch(FetchDescriptor<Rules.Nullified>()).allSatisfy { $0.owner?.name == "owner" })
        #expect(try reader.fetch(FetchDescriptor<Rules.Omega>()).allSatisfy { $0.alphas.count == 1 })
    }

    @Test(
        "The list of a deleted model has the models that are deleted with it, whether it was read before or not",
        arguments: [false, true])
    func deletedWithOwner(isRead: Bool) throws {
        let writer = try context()
        let owner = Rules.Owner(name: "owner")
        owner.cascaded = [Rules.Cascaded(), Rules.Cascaded()]
        writer.insert(owner)
        try writer.save()

        let context = ModelContext(writer.container)
        let deleted = try #require(try context.fetch(FetchDescriptor<Rules.Owner>()).first)
        if isRead { #expect(deleted.cascaded.count == 2) }
        context.delete(deleted)
        #expect(context.deletedModelsArray.count == 3)
        #expect(deleted.cascaded.count == 2)
        context.rollback()
        #expect(deleted.cascaded.count == 2)
    }

    @Test("Models deleted by cascade, and survivors, have changes at once")
    func changesByRule() throws {
        let context = try context()
        let owner = Rules.Owner(name: "owner")
        let (leaf, middle, survivor) = (Rules.Leaf(), Rules.Cascaded(), Rules.Nullified())
        middle.leaves = [leaf]
        owner.cascaded = [middle]
        owner.nullified = [survivor]
        context.insert(owner)
        try context.save()
        context.delete(owner)
        #expect(leaf.hasChanges && middle.hasChanges && survivor.hasChanges)
        #expect(leaf.isDeleted && middle.isDeleted && !survivor.isDeleted)
        context.rollback()
        #expect(!leaf.hasChanges && !middle.hasChanges && !survivor.hasChanges)
    }

    @Test("nullify clears, cascade deletes through all levels, no action leaves the reference")
    func rules() throws {
        let context = try context()
        let owner = Rules.Owner(name: "owner")
        let middle = Rules.Cascaded()
        middle.leaves = [Rules.Leaf(), Rules.Leaf()]
        owner.nullified = [Rules.Nullified()]
        owner.cascaded = [middle]
        owner.untouched = [Rules.Untouched()]
        context.insert(owner)
        try context.save()
        let nullified = try #require(owner.nullified.first)
        context.delete(owner)
        #expect(nullified.owner == nil)
        try context.save()
        #expect(try count(Rules.Owner.self, context) == 0)
        #expect(try count(Rules.Nullified.self, context) == 1)
        #expect(try count(Rules.Cascaded.self, context) == 0)
        #expect(try count(Rules.Leaf.self, context) == 0)
        #expect(try count(Rules.Untouched.self, context) == 1)
    }

    @Test("a reference that no action left reads as missing")
    func noAction() throws {
        let context = try context()
        let owner = Rules.Owner(name: "owner")
        owner.untouched = [Rules.Untouched()]
        context.insert(owner)
        try context.save()
        context.delete(owner)
        try context.save()
        let other = ModelContext(context.container)
        let left = try #require(try other.fetch(FetchDescriptor<Rules.Untouched>()).first)
        _ = left.owner?.name
        #expect(left.owner?.modelContext == nil)
        left.owner = nil
        try other.save()
        let third = ModelContext(context.container)
        let cleared = try #require(try third.fetch(FetchDescriptor<Rules.Untouched>()).first)
        #expect(cleared.owner == nil)
    }

    @Test("deny refuses also without an inverse, and deletes nothing")
    func denyOneWay() throws {
        let context = try context()
        let owner = Rules.Owner(name: "owner")
        owner.guarded = Rules.Nullified()
        context.insert(owner)
        try context.save()
        context.delete(owner)
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code.rawValue == 1600)
        #expect(try count(Rules.Owner.self, context) == 1)
        context.rollback()
        owner.guarded = nil
        context.delete(owner)
        try context.save()
        #expect(try count(Rules.Owner.self, context) == 0)
    }

    @Test("cascade works along a relationship without inverse")
    func cascadeOneWay() throws {
        let context = try context()
        let owner = Rules.Owner(name: "owner")
        owner.oneWay = Rules.Leaf()
        context.insert(owner)
        try context.save()
        context.delete(owner)
        try context.save()
        #expect(try count(Rules.Leaf.self, context) == 0)
    }

    @Test("setting either side of an inverse updates the other at once, before any save")
    func inverses() throws {
        let context = try context()
        let first = Rules.Owner(name: "first")
        let second = Rules.Owner(name: "second")
        let part = Rules.Nullified()
        context.insert(first)
        context.insert(second)
        part.owner = first
        #expect(first.nullified == [part])
        second.nullified.append(part)
        #expect(part.owner === second && first.nullified.isEmpty)
        second.nullified = []
        #expect(part.owner == nil)
    }

    @Test("deleting one end of a one-to-one clears the other in memory at once")
    func oneToOne() throws {
        let context = ModelContext(
            try ModelContainer(for: Person.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        let ann = Person(name: "Ann")
        ann.passport = Passport(number: 1)
        context.insert(ann)
        try context.save()
        context.delete(try #require(ann.passport))
        #expect(ann.passport == nil)
        try context.save()
        #expect(ann.passport == nil)
    }

    @Test("many-to-many works whichever class comes first alphabetically and whichever declares it")
    func manyToMany() throws {
        let context = try context()
        let alphas = [Rules.Alpha(), Rules.Alpha()]
        let omega = Rules.Omega()
        let beta = Rules.Beta()
        omega.alphas = alphas
        beta.alphas = alphas
        context.insert(omega)
        try context.save()
        let other = ModelContext(context.container)
        let read = try other.fetch(FetchDescriptor<Rules.Alpha>())
        #expect(read.count == 2)
        #expect(read.allSatisfy { $0.omegas.count == 1 && $0.betas.count == 1 })
        read.first?.betas = []
        read.first?.omegas = []
        try other.save()
        let third = ModelContext(context.container)
        #expect(try third.fetch(FetchDescriptor<Rules.Omega>()).first?.alphas.count == 1)
        #expect(try third.fetch(FetchDescriptor<Rules.Beta>()).first?.alphas.count == 1)
    }

    @Test("A mandatory destination whose row is gone reads as an empty model without context")
    func requiredGone() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let container = try ModelContainer(
            for: Holder.self, Held.self,
            configurations: ModelConfiguration(url: folder.appendingPathComponent("a.store")))
        let context = ModelContext(container)
        context.insert(Holder(held: Held(name: "held")))
        try context.save()
        let reader = ModelContext(container)
        try context.delete(model: Held.self)
        try context.save()
        let holder = try #require(try reader.fetch(FetchDescriptor<Holder>()).first)
        #expect(holder.held.name == "")
        #expect(holder.held.modelContext == nil)
    }
}

@Model
final class Holder {
    @Relationship(inverse: nil) var held: Held
    init(held: Held) { self.held = held }
}

@Model
final class Held {
    var name: String
    init(name: String) { self.name = name }
}
