import Foundation
import SwiftData
import Testing

/// Values that another context changed, after the unsaved changes that kept the old ones end.
@Suite("Values under unsaved changes that another context changed")
struct StaleValueTests {
    @Model final class Memo {
        var title = "old"
        var stars = 0
        init() {}
    }

    @Model final class Other { init() {} }

    @Model final class Team {
        @Relationship(inverse: \Player.team) var players: [Player] = []
        init() {}
    }

    @Model final class Player {
        var name = "Kim"
        var goals = 1
        var team: Team?
        init() {}
    }

    enum End: CaseIterable { case rollback, undoneEdit, undoneDelete, insertedAgain, editedBackAndSaved }

    @Test("However the unsaved changes end, the values saved elsewhere are read", arguments: End.allCases)
    func ends(end: End) throws {
        let file = try SharedFile()
        let a = ModelContext(try file.container(for: Memo.self, Other.self))
        let b = ModelContext(try file.container(for: Memo.self, Other.self))
        let manager = UndoManager()
        b.undoManager = manager
        a.insert(Memo())
        try a.save()
        let ours = try #require(try a.fetch(FetchDescriptor<Memo>()).first)
        let theirs = try #require(try b.fetch(FetchDescriptor<Memo>()).first)
        switch end {
        case .rollback, .undoneEdit, .editedBackAndSaved: theirs.stars = 5
        case .undoneDelete, .insertedAgain: b.delete(theirs)
        }
        b.processPendingChanges()
        ours.title = "new"
        try a.save()
        // B is notified of the save, and reads nothing of the memo.
        _ = try b.fetch(FetchDescriptor<Other>())
        switch end {
        case .rollback: b.rollback()
        case .undoneEdit:
            manager.undo()
            b.processPendingChanges()
            #expect(!b.hasChanges)
        case .undoneDelete: manager.undo()
        case .insertedAgain: b.insert(theirs)
        case .editedBackAndSaved:
            theirs.stars = 0
            try b.save()
        }
        #expect(theirs.title == "new")
        #expect(theirs.stars == 0)
        theirs.stars = 7
        try b.save()
        let fresh = ModelContext(a.container)
        #expect(try fresh.fetch(FetchDescriptor<Memo>()).map { "\($0.title) \($0.stars)" } == ["new 7"])
    }

    @Test(
        "Values saved elsewhere are read also after more changes than a context merges one by one",
        arguments: [true, false])
    func overflow(isDeleted: Bool) throws {
        let file = try SharedFile()
        let container = try file.container(for: Memo.self, Other.self)
        let (a, b) = (ModelContext(container), ModelContext(container))
        a.insert(Memo())
        try a.save()
        let ours = try #require(try a.fetch(FetchDescriptor<Memo>()).first)
        let theirs = try #require(try b.fetch(FetchDescriptor<Memo>()).first)
        if isDeleted { b.delete(theirs) } else { theirs.stars = 5 }
        ours.title = "new"
        for _ in 0..<10_001 { a.insert(Other()) }
        try a.save()
        _ = try b.fetchCount(FetchDescriptor<Other>())
        b.rollback()
        #expect(theirs.title == "new")
        #expect(theirs.stars == 0)
    }

    @Test("An edit of values read before a restore is merged with changes saved after it")
    func restoredSurvivor() throws {
        let file = try SharedFile()
        let container = try file.container(for: Team.self, Player.self)
        func player(_ context: ModelContext) throws -> Player {
            try #require(try context.fetch(FetchDescriptor<Player>()).first)
        }
        let setUp = ModelContext(container)
        let (team, kim) = (Team(), Player())
        setUp.insert(team)
        setUp.insert(kim)
        kim.team = team
        try setUp.save()
        let token = try #require(
            try setUp.deletionPlan(for: [team.persistentModelID]).executeAndArchive())

        let b = ModelContext(container)
        let theirs = try player(b)
        #expect(theirs.goals == 1)
        try container.restore(token)
        let c = ModelContext(container)
        let ours = try player(c)
        ours.goals = 7
        ours.name = "Kim B."
        try c.save()
        theirs.name = "Kim C."
        try b.save()

        for context in [b, c, ModelContext(container)] {
            let player = try player(context)
            #expect(player.name == "Kim C." && player.goals == 7 && player.team != nil)
        }
    }

    @Test("A restore gives every row that it links again a new version", arguments: [1, 3])
    func versions(rounds: Int) throws {
        let file = try SharedFile()
        let container = try file.container(for: Team.self, Player.self)
        let context = ModelContext(container)
        let (team, kim) = (Team(), Player())
        context.insert(team)
        context.insert(kim)
        kim.team = team
        try context.save()
        let id = team.persistentModelID
        var versions = try container.integers("SELECT Z_OPT FROM ZPLAYER").flatMap { $0 }
        for _ in 0..<rounds {
            let token = try #require(try context.deletionPlan(for: [id]).executeAndArchive())
            versions += try container.integers("SELECT Z_OPT FROM ZPLAYER").flatMap { $0 }
            try container.restore(token)
            versions += try container.integers("SELECT Z_OPT FROM ZPLAYER").flatMap { $0 }
        }
        #expect(versions == (1...Int64(1 + 2 * rounds)).map { $0 })
    }
}
