import Foundation
import SwiftData
import Testing

/// Links that two contexts change concurrently. After every save no stored key refers to a deleted row, and the two ends of a
/// one-to-one relationship agree.
@Suite("Links changed by several contexts")
struct ConcurrentLinkTests {
    enum Containers: CaseIterable { case one, two }
    /// When the other context saves.
    enum Order: CaseIterable { case beforeTheDelete, afterTheDelete, beforeAFetch }
    enum Way: CaseIterable { case object, predicate }

    private func contexts(
        _ containers: Containers, _ file: SharedFile, _ types: any PersistentModel.Type...
    ) throws -> (ModelContainer, ModelContext, ModelContext) {
        let open = { try ModelContainer(for: Schema(types), configurations: ModelConfiguration(url: file.url)) }
        let first = try open()
        return (first, ModelContext(first), ModelContext(containers == .one ? first : try open()))
    }

    private func wagons(_ context: ModelContext) throws -> [Wagon] {
        try context.fetch(FetchDescriptor<Wagon>(sortBy: [SortDescriptor(\.number)]))
    }

    // MARK: Deleting rows with edited links

    @Test(
        "Deleting a row with an edited link clears the keys that another context stored for it",
        arguments: Containers.allCases, Order.allCases)
    func deletedWithEditedLink(containers: Containers, order: Order) throws {
        let file = try SharedFile()
        let (container, a, b) = try contexts(containers, file, Wagon.self)
        for number in 1...3 { a.insert(Wagon(number)) }
        try a.save()
        let (ours, theirs) = (try wagons(a), try wagons(b))

        theirs[2].previous = theirs[1]
        if order == .afterTheDelete { b.delete(theirs[2]) }
        ours[2].previous = ours[0]
        try a.save()
        if order == .beforeAFetch { _ = try wagons(b) }
        if order != .afterTheDelete { b.delete(theirs[2]) }
        try b.save()

        #expect(
            try container.integers("SELECT ZNUMBER, ZNEXT, ZPREVIOUS FROM ZWAGON ORDER BY ZNUMBER")
                == [[1, nil, nil], [2, nil, nil]])
        #expect(try wagons(a).map(\.next) == [nil, nil])
        #expect(try wagons(b).map(\.next) == [nil, nil])
    }

    @Test("A bulk delete executed on single models clears such keys, too", arguments: Containers.allCases)
    func deletedByPredicate(containers: Containers) throws {
        let file = try SharedFile()
        let (container, a, b) = try contexts(containers, file, Wagon.self)
        for number in 1...3 { a.insert(Wagon(number)) }
        try a.save()
        let (ours, theirs) = (try wagons(a), try wagons(b))
        theirs[2].previous = theirs[1]
        try b.delete(model: Wagon.self, where: #Predicate { $0.number == 3 })
        ours[2].previous = ours[0]
        try a.save()
        try b.save()
        #expect(try container.integers("SELECT ZNEXT FROM ZWAGON ORDER BY ZNUMBER") == [[nil], [nil]])
    }

    @Test(
        "A cascade from a row with edited links deletes the row that another context linked to it",
        arguments: Order.allCases)
    func cascade(order: Order) throws {
        let file = try SharedFile()
        let (container, a, b) = try contexts(.two, file, Chest.self, Seal.self)
        for number in 1...2 { a.insert(Chest(number)) }
        try a.save()
        func chests(_ context: ModelContext) throws -> [Chest] {
            try context.fetch(FetchDescriptor<Chest>(sortBy: [SortDescriptor(\.number)]))
        }
        let (ours, theirs) = (try chests(a), try chests(b))

        // One seal from context B, and one that context A puts on the same chest.
        b.insert(Seal(1, on: theirs[0]))
        if order == .afterTheDelete { b.delete(theirs[0]) }
        a.insert(Seal(2, on: ours[0]))
        try a.save()
        if order == .beforeAFetch { _ = try chests(b) }
        if order != .afterTheDelete { b.delete(theirs[0]) }
        try b.save()

        #expect(try container.integers("SELECT ZNUMBER FROM ZCHEST") == [[2]])
        #expect(try container.integers("SELECT ZNUMBER FROM ZSEAL") == [])
    }

    @Test("A row that an unsaved edit moved away from the deleted row stays")
    func movedBeforeTheDelete() throws {
        let file = try SharedFile()
        let (container, a, _) = try contexts(.one, file, Chest.self, Seal.self)
        let (one, two) = (Chest(1), Chest(2))
        a.insert(one)
        a.insert(two)
        a.insert(Seal(1, on: one))
        try a.save()
        let seal = try #require(one.seal)
        seal.chest = two
        a.delete(one)
        try a.save()
        #expect(try container.integers("SELECT p.ZNUMBER FROM ZSEAL s JOIN ZCHEST p ON p.Z_PK = s.ZCHEST") == [[2]])
    }

    // MARK: Edits that are reverted

    @Test("A link that is edited and then edited back is stored at both ends, in spite of links stored meanwhile")
    func editedBack() throws {
        let file = try SharedFile()
        let (container, a, b) = try contexts(.two, file, Locker.self, Key.self)
        let key = Key()
        a.insert(key)
        for number in 1...3 { a.insert(Locker(number)) }
        func lockers(_ context: ModelContext) throws -> [Locker] {
            try context.fetch(FetchDescriptor<Locker>(sortBy: [SortDescriptor(\.number)]))
        }
        key.locker = try lockers(a)[0]
        try a.save()
        let theirs = try lockers(b)
        let theirKey = try #require(try b.fetch(FetchDescriptor<Key>()).first)
        #expect(theirKey.locker?.number == 1)

        theirKey.locker = theirs[1]
        key.locker = try lockers(a)[2]
        try a.save()
        // B reads the key again, but none of the lockers.
        _ = try b.fetch(FetchDescriptor<Key>())
        theirKey.locker = theirs[0]
        try b.save()

        let links = "SELECT l.ZNUMBER FROM ZLOCKER l JOIN ZKEY k ON k.Z_PK = l.ZKEY AND k.ZLOCKER = l.Z_PK"
        #expect(try container.integers(links) == [[1]])
        #expect(try container.integers("SELECT count(*) FROM ZLOCKER WHERE ZKEY IS NOT NULL") == [[1]])
        for context in [a, b, ModelContext(container)] {
            #expect(try context.fetch(FetchDescriptor<Key>()).first?.locker?.number == 1)
            #expect(try lockers(context).map { $0.key != nil } == [true, false, false])
        }
    }

    @Test(
        "Undoing the delete of a new model, after its destination was deleted and restored elsewhere, links both ends")
    func undoneDeleteOfNewObject() throws {
        let file = try SharedFile()
        let (container, a, b) = try contexts(.one, file, Locker.self, Key.self)
        let manager = UndoManager()
        b.undoManager = manager
        a.insert(Locker(1))
        try a.save()
        let theirs = try #require(try b.fetch(FetchDescriptor<Locker>()).first)
        let key = Key()
        b.insert(key)
        key.locker = theirs
        b.processPendingChanges()
        b.delete(key)
        b.processPendingChanges()
        let token = try #require(
            try a.deletionPlan(for: [theirs.persistentModelID]).executeAndArchive())
        _ = try b.fetch(FetchDescriptor<Locker>())
        try container.restore(token)
        _ = try b.fetch(FetchDescriptor<Locker>())
        manager.undo()
        try b.save()
        let links = "SELECT count(*) FROM ZLOCKER l JOIN ZKEY k ON k.Z_PK = l.ZKEY AND k.ZLOCKER = l.Z_PK"
        #expect(try container.integers(links) == [[1]])
        #expect(try b.fetch(FetchDescriptor<Locker>()).first?.key === key)
    }

    // MARK: Deletes of fewer rows at the save

    @Test("A model hidden by a pending bulk delete that the save does not delete is visible again")
    func takesLess() throws {
        let file = try SharedFile()
        let (container, a, b) = try contexts(.one, file, Chest.self, Seal.self)
        let (one, two) = (Chest(1), Chest(2))
        a.insert(one)
        a.insert(two)
        let seal = Seal(1, on: one)
        a.insert(seal)
        try a.save()
        let second = FetchDescriptor<Chest>(predicate: #Predicate { $0.number == 2 })
        let theirs = try #require(try b.fetch(second).first)
        let theirSeal = try #require(try b.fetch(FetchDescriptor<Seal>()).first)
        try b.delete(model: Chest.self, where: #Predicate { $0.number == 1 })
        #expect(try b.fetchCount(FetchDescriptor<Seal>()) == 0)
        seal.chest = two
        try a.save()
        _ = try b.fetch(FetchDescriptor<Chest>())
        try b.save()

        #expect(theirs.seal === theirSeal)
        #expect(theirSeal.chest === theirs)
        #expect(!theirSeal.isDeleted)
        #expect(theirSeal.modelContext === b)
        #expect(!b.hasChanges)
        let fresh = ModelContext(container)
        #expect(try fresh.fetch(FetchDescriptor<Chest>()).map { $0.seal?.number } == [1])
        theirSeal.number = 7
        try b.save()
        #expect(try fresh.fetch(FetchDescriptor<Seal>()).map(\.number) == [7])
    }
}
