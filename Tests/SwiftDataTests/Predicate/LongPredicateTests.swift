import Foundation
import Testing

@testable import SwiftData

@Model private final class Errand {
    var title: String
    var notes: String?
    var rank: Int
    var priority: Int?
    var due: Date?
    var made: Date
    var price: Double
    var isDone: Bool
    var isFlagged: Bool?
    var link: String?
    var parent: Errand?

    init(_ title: String, rank: Int) {
        self.title = title
        self.rank = rank
        made = .distantPast
        price = 2
        isDone = false
    }
}

/// That this file compiles is half of the test: Foundation's macro exceeds the compiler's limit for each of these.
@Suite struct LongPredicateTests {
    private let context: ModelContext
    private let now = Date.now
    private let text = "a"
    private let least = 3

    init() throws {
        context = ModelContext(
            try ModelContainer(for: Errand.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        for (title, rank) in [("a", 4), ("ab", 5), ("b", 6)] {
            let errand = Errand(title, rank: rank)
            context.insert(errand)
            (errand.notes, errand.priority, errand.due) = ("an", 3, .distantPast)
        }
        try context.save()
    }

    private func titles(_ predicate: Predicate<Errand>) throws -> Set<String> {
        _ = try PredicateTranslator.translate(predicate, model: context.container.store.model)
        return Set(try context.fetch(FetchDescriptor(predicate: predicate)).map(\.title))
    }

    @Test("eight comparisons")
    func eight() throws {
        let (now, text) = (now, text)
        let predicate = #Predicate<Errand> {
            $0.title == "ab" && $0.rank == 5 && $0.rank > 2 && $0.title.contains(text) && $0.made < now && $0.rank < 9
                && !$0.isDone && $0.price == 2
        }
        #expect(try titles(predicate) == ["ab"])
    }

    @Test("fifteen comparisons of optionals, numbers, dates and texts, with a typed parameter")
    func fifteen() throws {
        let (now, text, least) = (now, text, least)
        let predicate = #Predicate<Errand> { (errand: Errand) -> Bool in
            errand.isDone == false && errand.rank > 3 && (errand.priority ?? 0) >= least && errand.title.contains(text)
                && (errand.notes ?? "").contains(text) && errand.due != nil && (errand.due ?? now) < now
                && errand.price > 1.5
                && errand.price < 100 && errand.made <= now && errand.link == nil && errand.isFlagged != true
                && errand.parent?.title != "x" && errand.rank + 1 < 100
                && (errand.title == "ab" || errand.rank * 2 == 8)
        }
        #expect(try titles(predicate) == ["a", "ab"])
    }
}
