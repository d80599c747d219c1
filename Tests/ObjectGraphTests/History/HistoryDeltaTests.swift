import ObjectGraph
import Testing

@Suite("Sums of history")
struct HistoryDeltaTests {
    private let dogs = IDSpace.intern(storeIdentifier: "HistoryDeltaTests", entityName: "Dog")
    private let cats = IDSpace.intern(storeIdentifier: "HistoryDeltaTests", entityName: "Cat")

    private enum Step: CaseIterable { case insert, update, delete }

    private func add(_ step: Step, _ id: ObjectID, to builder: inout HistoryDeltaBuilder) {
        switch step {
        case .insert: builder.inserted(id)
        case .update: builder.updated(id)
        case .delete: builder.deleted(id)
        }
    }

    @Test("deleted wins over all that came before, what came and went included; inserted wins over updated")
    func summing() {
        var builder = HistoryDeltaBuilder()
        let steps: [(Int64, [Step])] = [
            (9, [.insert]), (2, [.insert, .update, .update]), (3, [.insert, .update, .delete]),
            (4, [.update, .update]),
            (1, [.update, .delete]), (6, [.delete]), (7, [.delete, .insert]), (8, [.delete, .insert, .delete]),
        ]
        for (key, kinds) in steps { for kind in kinds { add(kind, ObjectID(space: dogs, key: key), to: &builder) } }
        builder.updated(ObjectID(space: cats, key: 5))
        let fleeting = IDSpace.intern(storeIdentifier: "HistoryDeltaTests", entityName: "Mayfly")
        builder.inserted(ObjectID(space: fleeting, key: 1))
        builder.deleted(ObjectID(space: fleeting, key: 1))
        let delta = builder.delta()
        #expect(delta.entities.map(\.space) == [cats, dogs, fleeting])
        #expect(delta.entities.last?.deleted == [1])
        #expect(delta.entities.last?.inserted == [])
        let keys = delta.entities[1]
        #expect(keys.inserted == [2, 9])
        #expect(keys.updated == [4, 7])
        #expect(keys.deleted == [1, 3, 6, 8])
        let saved = SavedChanges(delta)
        #expect(saved.inserted == [2, 9].map { ObjectID(space: dogs, key: $0) })
        #expect(saved.updatedIDs == [ObjectID(space: cats, key: 5)] + [4, 7].map { ObjectID(space: dogs, key: $0) })
        #expect(
            saved.deleted
                == [1, 3, 6, 8].map { ObjectID(space: dogs, key: $0) } + [ObjectID(space: fleeting, key: 1)])
        #expect(!saved.isOverflow && !saved.isEmpty && saved.updated.isEmpty)
    }

    @Test("nothing told is nothing changed")
    func empty() {
        #expect(HistoryDeltaBuilder().delta().isEmpty)
        #expect(SavedChanges(HistoryDeltaBuilder().delta()).isEmpty)
        #expect(!SavedChanges.overflow.isEmpty)
    }
}
