import Foundation
import SwiftData
import Testing

@Model private final class User {
    @Attribute(.unique) var email: String
    var name: String = ""
    @Relationship(inverse: \Profile.user) var profile: Profile?
    init(email: String, profile: Profile? = nil) {
        self.email = email
        self.profile = profile
    }
}

@Model private final class Profile {
    var text: String
    var user: User?
    init(text: String) { self.text = text }
}

@Model private final class Tagline {
    @Attribute(.unique) var text: String
    init(text: String) { self.text = text }
}

@Suite("Inserting over a row by a unique value")
struct ReplacedRowTests {
    private func container() throws -> ModelContainer {
        try ModelContainer(
            for: User.self, Profile.self, Tagline.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    private func profiles(_ context: ModelContext) throws -> [Profile] {
        try context.fetch(FetchDescriptor<Profile>(sortBy: [SortDescriptor(\.text)]))
    }

    @Test(
        "The former destination of a one-to-one relationship is unlinked, in the file and in every context",
        arguments: [nil, "second"])
    func replaced(by text: String?) throws {
        let container = try container()
        let (context, other) = (ModelContext(container), ModelContext(container))
        context.insert(User(email: "a", profile: Profile(text: "first")))
        try context.save()
        let (held, elsewhere) = (try #require(try profiles(context).first), try #require(try profiles(other).first))
        #expect(elsewhere.user?.email == "a")

        let user = User(email: "a", profile: text.map(Profile.init))
        context.insert(user)
        try context.save()
        #expect(user.profile?.text == text)
        #expect(held.user == nil)
        #expect(!held.hasChanges)

        other.processPendingChanges()
        #expect(elsewhere.user == nil)

        let reader = ModelContext(container)
        let read = try profiles(reader)
        #expect(read.map { $0.user?.email } == (text == nil ? [nil] : [nil, "a"]))

        held.text = "edited"
        try context.save()
        other.processPendingChanges()
        #expect(elsewhere.text == "edited")
    }

    @Test("Of two new models with the same value, the destination of the first is unlinked")
    func bothNew() throws {
        let container = try container()
        let context = ModelContext(container)
        let (first, second) = (Profile(text: "first"), Profile(text: "second"))
        context.insert(User(email: "a", profile: first))
        context.insert(User(email: "a", profile: second))
        try context.save()
        #expect(first.user == nil)
        #expect(second.user?.email == "a")
        let reader = ModelContext(container)
        let read = try profiles(reader)
        #expect(read.map { $0.user?.email } == [nil, "a"])
        #expect(read.map { $0.user?.profile?.text } == [nil, "second"])
        first.text = "third"
        try context.save()
        #expect(try profiles(ModelContext(container)).map(\.text) == ["second", "third"])
    }

    @Test("A former destination that was edited in the same save keeps its edit")
    func edited() throws {
        let container = try container()
        let context = ModelContext(container)
        let profile = Profile(text: "first")
        context.insert(User(email: "a", profile: profile))
        try context.save()
        profile.text = "edited"
        context.insert(User(email: "a"))
        try context.save()
        #expect(profile.user == nil)
        let read = try #require(try profiles(ModelContext(container)).first)
        #expect(read.text == "edited")
        #expect(read.user == nil)
        profile.text = "again"
        try context.save()
        #expect(try profiles(ModelContext(container)).map(\.text) == ["again"])
    }

    @Test("DV15 Two new models whose unique texts differ in canonical form only are two rows")
    func canonicalForms() throws {
        let container = try container()
        let context = ModelContext(container)
        context.insert(Tagline(text: "a"))
        try context.save()
        for text in ["a", "e\u{301}", "\u{E9}"] { context.insert(Tagline(text: text)) }
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Tagline>()) == 3)
    }
}
