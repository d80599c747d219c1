import Foundation
import SwiftData
import TestSupport

/// A trip, its accommodation, and a longer kind of trip, with values that the history preserves.
enum Travels {
    @Model
    class Trip {
        @Attribute(.preserveValueOnDeletion) var name: String
        @Attribute(.preserveValueOnDeletion) var startDate: Date
        @Attribute(.preserveValueOnDeletion) var note: String?
        var price: Double = 0
        @Relationship(deleteRule: .cascade, inverse: \Stay.trip) var stay: Stay?

        init(name: String, startDate: Date = Date(timeIntervalSinceReferenceDate: 1000)) {
            self.name = name
            self.startDate = startDate
        }
    }

    @Model
    final class Voyage: Trip {
        @Attribute(.preserveValueOnDeletion) var ship: String

        init(name: String, ship: String) {
            self.ship = ship
            super.init(name: name)
        }
    }

    @Model
    final class Stay {
        var place: String
        var trip: Trip?

        init(place: String) {
            self.place = place
        }
    }

    static func container() throws -> ModelContainer {
        try ModelContainer(
            for: Trip.self, Voyage.self, Stay.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    static func container(at url: URL) throws -> ModelContainer {
        try ModelContainer(for: Trip.self, Voyage.self, Stay.self, configurations: ModelConfiguration(url: url))
    }

    /// One save for each name.
    static func save(_ names: String..., by author: String? = nil, in context: ModelContext) throws {
        context.author = author
        for name in names {
            context.insert(Trip(name: name))
            try context.save()
        }
    }
}

/// A folder that is removed with the test.
final class TestFolder {
    private let folder: TemporaryFolder
    var url: URL { folder.url }

    init() throws { folder = try TemporaryFolder() }

    func file(_ name: String = "default.store") -> URL { url.appendingPathComponent(name) }
}
