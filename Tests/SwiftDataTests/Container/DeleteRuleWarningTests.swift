import Foundation
import Logging
import ObjectGraph
import SQLiteStore
import TestSupport
import Testing

@testable import SwiftData

enum Linted {
    @Model final class LintedShelf {
        @Relationship(deleteRule: .cascade, inverse: \LintedBook.shelf) var books: [LintedBook] = []

        init() {}
    }

    @Model final class LintedBook {
        @Relationship(deleteRule: .cascade) var shelf: LintedShelf?
        var labels: [LintedLabel] = []

        init() {}
    }

    @Model final class LintedLabel {
        var text = ""

        init() {}
    }

    @Model final class SilencedShelf {
        var labels: [LintedLabel] = []
        @Relationship(inverse: nil) var meant: [LintedLabel] = []

        init() {}
    }

    @Model final class MeantShelf {
        @Relationship(inverse: nil) var labels: [LintedLabel] = []
        @Relationship(deleteRule: .cascade) var owned: [LintedLabel] = []
        // openswiftdata:silence to-many-without-inverse (they are copies)
        var commented: [LintedLabel] = []

        init() {}
    }

    @Model final class UniqueListShelf {
        @Attribute(.unique) var labels: [LintedLabel] = []
        // openswiftdata:silence unique-to-many
        @Attribute(.unique) var meant: [LintedLabel] = []
        @Attribute(.unique) var names: [String] = []

        init() {}
    }

    @Model class MacroShelf {
        var name = ""

        init() {}
    }

    /// Looks like a model, and is none.
    class PlainShelf: MacroShelf {
        var forgotten = 1
    }

    /// Adds no stored property.
    class NarrowShelf: MacroShelf {
        var computed: Int { 1 }
    }

    enum Limits {
        static let least = 3
    }

    @Model final class LintedTeam {
        @Relationship(minimumModelCount: Limits.least, maximumModelCount: 2) var members: [LintedLabel] = []

        init() {}
    }

    @Model final class StrictOwner {
        @Relationship(deleteRule: .deny, inverse: \StrictPart.owner) var parts: [StrictPart] = []

        init() {}
    }

    @Model final class StrictPart {
        @Relationship(deleteRule: .deny) var owner: StrictOwner

        init(owner: StrictOwner) { self.owner = owner }
    }

    @Model final class IndexedHome {
        @Relationship(inverse: \IndexedPet.home) var pets: [IndexedPet] = []

        init() {}
    }

    @Model final class IndexedPet {
        var home: IndexedHome?

        init() {}
    }
}

/// Warnings that containers log about delete rules. Each test looks for models of its own, as all share one log.
@Suite("Warnings about delete rules", .serialized)
struct DeleteRuleWarningTests {
    init() { CapturedLog.start() }

    private func makeContainer(_ types: any PersistentModel.Type..., url: URL? = nil) throws -> ModelContainer {
        let configuration = url.map { ModelConfiguration(url: $0) } ?? ModelConfiguration(isStoredInMemoryOnly: true)
        return try ModelContainer(for: Schema(types), configurations: configuration)
    }

    @Test("each container logs a line for each warning, with the label SwiftData")
    func logged() throws {
        let before = CapturedLog.lines(about: "LintedBook").count
        for round in 1...2 {
            _ = try makeContainer(Linted.LintedShelf.self)
            #expect(CapturedLog.lines(about: "LintedBook").count == before + 2 * round)
        }
        let lines = CapturedLog.lines(about: "LintedBook").suffix(2)
        #expect(lines.allSatisfy { $0.level == .warning && $0.label == "SwiftData" && !$0.text.contains("\n") })
        #expect(lines.map { $0.text.hasSuffix("[cascade-both-ways]") } == [true, false])
        #expect(lines.map { $0.text.hasSuffix("[to-many-without-inverse]") } == [false, true])
    }

    @Test("an explicit inverse: nil, a cascade and a comment each silence the warning")
    func meant() throws {
        _ = try makeContainer(Linted.MeantShelf.self)
        #expect(CapturedLog.lines(about: "MeantShelf").isEmpty)
    }

    @Test("a class, a relationship or a code can be silenced, and reported again")
    func silenced() throws {
        let before = ModelContainer.silencedWarnings
        defer { ModelContainer.silencedWarnings = before }
        for entry in ["SilencedShelf", "SilencedShelf.labels", "all"] {
            ModelContainer.silencedWarnings = [entry]
            _ = try makeContainer(Linted.SilencedShelf.self)
            #expect(CapturedLog.lines(about: "SilencedShelf").isEmpty, "\(entry)")
        }
        ModelContainer.silencedWarnings = ["cascade-cycle"]
        _ = try makeContainer(Linted.SilencedShelf.self)
        #expect(CapturedLog.lines(about: "SilencedShelf").map { $0.text.contains(".labels'") } == [true])
    }

    @Test("the environment's entries are separated by commas")
    func environment() {
        #expect(SilencedWarnings.entries("") == [])
        #expect(
            SilencedWarnings.entries("cascade-cycle, Person.friends,,all ") == [
                "cascade-cycle", "Person.friends", "all",
            ])
    }

    @Test("a minimum count that can never be saved is refused before a file is created")
    func refused() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("a.store")
        let error = #expect(throws: SwiftDataError.self) { try makeContainer(Linted.LintedTeam.self, url: url) }
        #expect(error == .loadIssueModelContainer)
        #expect(String(describing: try #require(error)).contains("'LintedTeam.members' needs at least 3"))
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("`.unique` as an attribute option of a to-many relationship is reported, and can be silenced")
    func uniqueList() throws {
        _ = try makeContainer(Linted.UniqueListShelf.self)
        func lines() -> [String] {
            CapturedLog.lines(about: "UniqueListShelf").map(\.text).filter { $0.hasSuffix("[unique-to-many]") }
        }
        #expect(lines().map { $0.contains("UniqueListShelf.labels'") } == [true])
        let before = ModelContainer.silencedWarnings
        defer { ModelContainer.silencedWarnings = before }
        for entry in ["unique-to-many", "UniqueListShelf.labels"] {
            ModelContainer.silencedWarnings = [entry]
            _ = try makeContainer(Linted.UniqueListShelf.self)
            #expect(lines().count == 1, "\(entry)")
        }
    }

    @Test("a subclass without the macro is reported if it declares stored properties, which are not persisted")
    func subclassWithoutMacro() throws {
        let container = try makeContainer(Linted.MacroShelf.self, Linted.PlainShelf.self, Linted.NarrowShelf.self)
        let lines = CapturedLog.lines(about: "PlainShelf").map(\.text)
        #expect(lines.count == 1)
        #expect(lines.first?.contains("'forgotten' will not be stored") == true)
        #expect(CapturedLog.lines(about: "NarrowShelf").isEmpty)
        let context = ModelContext(container)
        let shelf = Linted.PlainShelf()
        shelf.name = "plain"
        context.insert(shelf)
        try context.save()
        let read = try ModelContext(container).fetch(FetchDescriptor<Linted.MacroShelf>())
        #expect(read.map(\.name) == ["plain"] && read.first is Linted.PlainShelf)
    }

    @Test("ends that both deny are reported, not refused: they can be deleted together, even if one is mandatory")
    func denyBothWays() throws {
        let container = try makeContainer(Linted.StrictOwner.self)
        #expect(CapturedLog.lines(about: "StrictPart").map { $0.text.hasSuffix("[deny-both-ways]") } == [true])
        let context = ModelContext(container)
        let part = Linted.StrictPart(owner: Linted.StrictOwner())
        context.insert(part)
        try context.save()
        let owner = part.owner
        context.delete(part)
        #expect(throws: CocoaError.self) { try context.save() }
        context.delete(owner)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Linted.StrictPart>()) == 0)
        #expect(try context.fetchCount(FetchDescriptor<Linted.StrictOwner>()) == 0)
    }

    @Test("a key whose index is missing is reported when the file is opened")
    func index() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("homes.store")
        _ = try makeContainer(Linted.IndexedHome.self, url: url)
        #expect(CapturedLog.lines(about: "IndexedPet").isEmpty)
        try Connection(.file(url), access: .readWrite).execute("DROP INDEX ZINDEXEDPET_ZHOME_INDEX")
        _ = try makeContainer(Linted.IndexedHome.self, url: url)
        let lines = CapturedLog.lines(about: "IndexedPet")
        #expect(lines.count == 1)
        #expect(lines.first?.text.contains("ZINDEXEDPET.ZHOME") == true)
        #expect(lines.first?.text.hasSuffix("[key-without-index]") == true)
    }

    @Test("the zoo of the examples has no warnings")
    func examples() throws {
        #expect(try DeleteRuleLint.warnings(of: Schema([AnimalCategory.self]).compiled()) == [])
    }
}

/// Lines logged since the first use, besides the usual output.
enum CapturedLog {
    struct Line: Sendable {
        let label: String
        let level: Logger.Level
        let text: String
    }

    private static let captured = Locked<[Line]>([])
    /// A process can configure its log only once.
    private static let started: Void = LoggingSystem.bootstrap { label in
        MultiplexLogHandler([StreamLogHandler.standardError(label: label), Handler(label: label)])
    }

    static func start() { started }

    static func lines(about name: String) -> [Line] {
        captured.withLock { $0.filter { $0.text.contains("'\(name)") } }
    }

    private struct Handler: LogHandler {
        let label: String
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let line = Line(label: label, level: event.level, text: "\(event.message)")
            captured.withLock { $0.append(line) }
        }
    }
}
