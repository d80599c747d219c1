import Foundation
import SwiftData
import Testing

@Model
class Trip {
    @Attribute(.unique) var name: String
    var days: Int = 1
    var stops: [Stop] = []

    init(name: String, days: Int = 1) {
        self.name = name
        self.days = days
    }
}

@Model
class BusinessTrip: Trip {
    var perDiem: Double = 10

    init(name: String, perDiem: Double) {
        self.perDiem = perDiem
        super.init(name: name)
    }
}

@Model
final class Conference: BusinessTrip {
    var topic: String

    init(name: String, topic: String) {
        self.topic = topic
        super.init(name: name, perDiem: 5)
        self.days = 3
    }
}

@Model
final class Stop {
    var place: String
    var trip: Trip?

    init(place: String) {
        self.place = place
    }
}

@Suite("Class inheritance")
struct InheritanceTests {
    private func filled() throws -> ModelContainer {
        let container = try ModelContainer(
            for: Trip.self, BusinessTrip.self, Conference.self, Stop.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        context.insert(Trip(name: "Alps", days: 7))
        context.insert(BusinessTrip(name: "Office", perDiem: 20))
        let conference = Conference(name: "SwiftConf", topic: "Macros")
        conference.stops = [Stop(place: "Berlin")]
        context.insert(conference)
        try context.save()
        return container
    }

    @Test("A fetch of the base class returns instances of the subclasses")
    func baseFetch() throws {
        let context = ModelContext(try filled())
        let trips = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
        #expect(trips.map { String(describing: type(of: $0)) } == ["Trip", "BusinessTrip", "Conference"])
        let conference = try #require(trips.last as? Conference)
        #expect(conference.topic == "Macros")
        #expect(conference.perDiem == 5)
        #expect(conference.days == 3)
        #expect(conference.stops.first?.trip === conference)
    }

    @Test("A fetch of a subclass excludes other models")
    func subclassFetch() throws {
        let context = ModelContext(try filled())
        #expect(try context.fetchCount(FetchDescriptor<BusinessTrip>()) == 2)
        #expect(try context.fetchCount(FetchDescriptor<Conference>()) == 1)
        let cheap = FetchDescriptor<BusinessTrip>(predicate: #Predicate { $0.perDiem < 10 && $0.name != "x" })
        #expect(try context.fetch(cheap).map(\.name) == ["SwiftConf"])
    }

    @Test("is and as? work in a predicate")
    func typeChecks() throws {
        let context = ModelContext(try filled())
        let business = FetchDescriptor<Trip>(predicate: #Predicate { $0 is BusinessTrip })
        #expect(try context.fetchCount(business) == 2)
        let macros = FetchDescriptor<Trip>(predicate: #Predicate { ($0 as? Conference)?.topic == "Macros" })
        #expect(try context.fetch(macros).map(\.name) == ["SwiftConf"])
    }

    @Test("includeSubclasses decides whether a bulk delete includes subclass rows")
    func batchDelete() throws {
        let context = ModelContext(try filled())
        try context.delete(model: BusinessTrip.self, includeSubclasses: false)
        try context.save()
        #expect(
            try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])).map(\.name) == [
                "Alps", "SwiftConf",
            ])
        try context.delete(model: Trip.self)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 0)
    }
}
