import CoreData
import Testing

private final class Ticket: NSManagedObject {
    /// Without a case for an empty text, and without a list of cases.
    enum Mood: String { case calm, wild }

    @Managed var mood: Mood
    @Managed var note: TicketNote
}

/// Not private: an archive contains the name of its class.
final class TicketNote: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

@Suite("Missing values without a substitute")
struct MissingValueTests {
    private static func withTicket(_ body: (Ticket) -> Void) throws {
        let entity = Zoo.entity("Ticket", Ticket.self)
        entity.properties = [
            Zoo.attribute("mood", .stringAttributeType), Zoo.attribute("note", .transformableAttributeType),
        ]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = try TestStack(model: model)
        let ticket = Ticket(context: stack.context)
        ticket.setValue("sad", forKey: "mood")
        try stack.context.save()
        withExtendedLifetime(stack) { body(ticket) }
    }

    private func expect(_ result: ExitTest.Result, _ texts: [String]) {
        let output = String(decoding: result.standardErrorContent, as: UTF8.self)
        for text in texts { #expect(output.contains(text), "\(output)") }
        // Errors do not show values.
        #expect(!output.contains("sad"))
    }

    @Test(
        "CD58 Reading a raw value without a case ends the process with a message that names property, object and remedy"
    )
    func enums() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try Self.withTicket { _ = $0.mood }
        }
        expect(
            result,
            [
                "'Ticket.mood' of x-coredata://", "/Ticket/p1 has no raw value of a case of Mood",
                "its property is not optional. Declare it optional, or the enum CaseIterable.",
            ])
    }

    @Test("CD58 Reading a missing object ends the process with a message that names property, object and remedy")
    func objects() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try Self.withTicket { _ = $0.note }
        }
        expect(
            result,
            [
                "'Ticket.note' of x-coredata://", "/Ticket/p1 has no value of class TicketNote",
                "its property is not optional. Declare it optional.",
            ])
    }
}
