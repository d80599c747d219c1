import Foundation
import Observation
import SwiftData
import Testing

private enum News {
    @Model
    final class Article {
        @Attribute(.unique) var number: Int
        var title: String
        var isStarred = false

        init(_ number: Int, _ title: String) {
            self.number = number
            self.title = title
        }
    }
}

/// Models that stand for one row, because insertions became updates of it.
@Suite("Repeated upserts")
struct RepeatedUpsertTests {
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        container = try ModelContainer(
            for: News.Article.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        context = ModelContext(container)
    }

    private func upsert(_ titles: String...) throws -> [News.Article] {
        let articles = titles.map { News.Article(1, $0) }
        for article in articles { context.insert(article) }
        try context.save()
        return articles
    }

    private func stored() throws -> [News.Article] {
        try ModelContext(container).fetch(FetchDescriptor<News.Article>())
    }

    @Test("Edits and deletions of every model that stands for the row are saved, and all have its values")
    func edits() throws {
        var articles: [News.Article] = []
        for title in ["first", "second", "third"] { articles += try upsert(title) }
        articles += try upsert("fourth", "fifth")
        let title = try #require(try stored().first?.title)
        #expect(articles.map(\.title) == Array(repeating: title, count: 5))
        #expect(articles.allSatisfy { $0.modelContext === context && !$0.isDeleted })
        for (index, article) in articles.enumerated() {
            article.title = "edited \(index)"
            #expect(context.hasChanges && articles.allSatisfy { $0.title == "edited \(index)" })
            try context.save()
            #expect(try stored().map(\.title) == ["edited \(index)"])
        }
        context.delete(articles[0])
        try context.save()
        #expect(try stored().isEmpty)
    }

    @Test("Observers of a model are notified when another takes its row")
    func observers() throws {
        let first = try #require(try upsert("first").first)
        for round in 1...3 {
            let noted = Noted()
            withObservationTracking {
                _ = first.title
            } onChange: {
                noted.count += 1
            }
            _ = try upsert("title \(round)")
            #expect(noted.count == 1 && first.title == "title \(round)")
        }
    }

    /// Used by one thread.
    private final class Noted: @unchecked Sendable {
        var count = 0
    }
}
