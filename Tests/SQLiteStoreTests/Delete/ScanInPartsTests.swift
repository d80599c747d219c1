import StoreSQL
import Testing

@testable import ObjectGraph
@testable import SQLiteStore

@Suite("Scans of very many rows")
struct ScanInPartsTests {
    private func steps(_ zoo: ZooStore, _ keys: KeySet) throws -> [DeleteStep] {
        let visit = try zoo.entity("Visit")
        var plan = DeletePlan()
        plan.deleted.insert(keys, in: zoo.store.spaces.spaces[visit.index])
        plan.reaches = [CascadePath(entity: "Visit", via: nil, count: keys.count)]
        return try zoo.store.pool.withReader { connection in
            let strategist = DeleteStrategist(sizes: connection, forced: .scan)
            return try DeleteSteps(
                map: zoo.store.map, spaces: zoo.store.spaces, strategist: strategist, dialect: SQLiteDialect()
            ).steps(for: plan)
        }
    }

    @Test("many rows are divided into adjacent ranges, and few rows take one statement")
    func parts() throws {
        let zoo = try ZooStore()
        let keys = KeySet((1...450_000).map { Int64($0) * 2 })
        let parts = try steps(zoo, keys).filter { $0.sql.hasPrefix("DELETE FROM ZVISIT ") }
        #expect(
            parts.map(\.sql) == [
                "DELETE FROM ZVISIT WHERE OSDHasKey(?, Z_PK) AND Z_PK BETWEEN 2 AND 400000",
                "DELETE FROM ZVISIT WHERE OSDHasKey(?, Z_PK) AND Z_PK BETWEEN 400002 AND 800000",
                "DELETE FROM ZVISIT WHERE OSDHasKey(?, Z_PK) AND Z_PK BETWEEN 800002 AND 900000",
            ])
        #expect(parts.compactMap(\.rowCount) == [200_000, 200_000, 50_000])
        let few = try steps(zoo, KeySet([3, 5])).filter { $0.sql.hasPrefix("DELETE FROM ZVISIT ") }
        #expect(few.map(\.sql) == ["DELETE FROM ZVISIT WHERE OSDHasKey(?, Z_PK)"])
    }
}
