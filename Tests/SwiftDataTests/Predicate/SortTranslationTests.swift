import Foundation
import ObjectGraph
import Testing

@testable import SwiftData

@Suite struct SortTranslationTests {
    let model: Model

    init() throws { model = try predicateZooModel() }

    private func keys<M: PersistentModel>(_ descriptors: SortDescriptor<M>...) throws -> [SortKey] {
        let type = ModelType.of(M.self)
        let entity = try #require(model.entity(named: type.entityName))
        return try SortTranslator(model: model, entity: entity, type: type).translate(descriptors)
    }

    private func path(_ key: SortKey?) -> String {
        func text(_ expression: QueryExpression?) -> String {
            switch expression {
            case .attribute(let base, let attribute): text(base) + attribute.path
            case .toOne(let base, let relationship): text(base) + relationship.name + "."
            case .identity(let base): text(base) + "id"
            default: ""
            }
        }
        return text(key?.expression)
    }

    @Test("own attributes sort forward and reverse")
    func attributes() throws {
        let keys = try keys(SortDescriptor(\Beast.age), SortDescriptor(\.nick, order: .reverse), SortDescriptor(\.born))
        #expect(keys.map(path) == ["age", "nick", "born"])
        #expect(keys.map(\.isAscending) == [true, false, true])
        #expect(keys.map(\.textOrder) == [.binary, .localizedStandard, .binary])
    }

    @Test("chains through to-one relationships, and members of structs, can be sorted by")
    func chains() throws {
        let keys = try keys(
            SortDescriptor(\Beast.keeper?.name), SortDescriptor(\.keeper?.boss?.level), SortDescriptor(\.home.city),
            SortDescriptor(\.den?.floor), SortDescriptor(\.persistentModelID),
            SortDescriptor(\.keeper?.persistentModelID))
        #expect(keys.map(path) == ["keeper.name", "keeper.boss.level", "home.city", "den.floor", "id", "keeper.id"])
    }

    @Test("inherited properties of a subclass can be sorted by")
    func inherited() throws {
        let keys = try keys(
            SortDescriptor(\Hound.name), SortDescriptor(\.nick), SortDescriptor(\.age), SortDescriptor(\.tricks))
        #expect(keys.map(path) == ["name", "nick", "age", "tricks"])
        let chains = try self.keys(SortDescriptor(\Hound.keeper?.name), SortDescriptor(\.home.city))
        #expect(chains.map(path) == ["keeper.name", "home.city"])
    }

    @Test("text orders are translated")
    func textOrders() throws {
        let keys = try keys(
            SortDescriptor(\Beast.name, comparator: .localizedStandard),
            SortDescriptor(\.nick, comparator: .localized, order: .reverse),
            SortDescriptor(\.name, comparator: .lexical),
            SortDescriptor(\.keeper?.name, comparator: .localizedStandard))
        #expect(keys.map(path) == ["name", "nick", "name", "keeper.name"])
        #expect(keys.map(\.textOrder) == [.localizedStandard, .localized, .binary, .localizedStandard])
        #expect(keys.map(\.isAscending) == [true, false, true, true])
    }

    @Test("DV16 without a comparator, texts of models sort in the standard localized order")
    func defaultOrder() throws {
        let keys = try keys(SortDescriptor(\Beast.name), .init(\.nick), SortDescriptor(\.keeper?.name, order: .reverse))
        #expect(keys.map(path) == ["name", "nick", "keeper.name"])
        #expect(keys.map(\.textOrder) == [.localizedStandard, .localizedStandard, .localizedStandard])
        #expect(keys.map(\.isAscending) == [true, true, false])
    }

    @Test("DV16 a key path of some Comparable type, in generic code, sorts texts by bytes")
    func generic() throws {
        func descriptor<Value: Comparable>(_ keyPath: any KeyPath<Beast, Value> & Sendable) -> SortDescriptor<Beast> {
            SortDescriptor(keyPath)
        }
        #expect(try keys(descriptor(\.name)).map(\.textOrder) == [.binary])
        struct File { var name: String }
        let files = ["b", "B", "a"].map(File.init)
        #expect(files.sorted(using: SortDescriptor(\.name)).map(\.name) == ["B", "a", "b"])
    }

    @Test("a descriptor with a text order also sorts in memory")
    func inMemory() {
        struct File { var name: String }
        let files = ["file 10", "File 2", "file 1"].map(File.init)
        let sorted = files.sorted(using: SortDescriptor(\.name, comparator: .localizedStandard)).map(\.name)
        #expect(sorted == ["file 1", "File 2", "file 10"])
    }

    @Test("localized comparators can be used where Foundation accepts comparators")
    func comparators() {
        struct File { var name: String }
        let names = ["file 10", "File 2", "file 1"]
        #expect(names.sorted(using: .localizedStandard) == ["file 1", "File 2", "file 10"])
        let byName = KeyPathComparator(\File.name, comparator: .localizedStandard, order: .reverse)
        #expect(names.map(File.init).sorted(using: byName).map(\.name) == ["file 10", "File 2", "file 1"])
    }

    @Test("a computed property is refused")
    func refusal() throws {
        #expect(throws: PredicateTranslationError.self) { try keys(SortDescriptor(\Beast.shout)) }
    }
}
