import Foundation
import ObjectGraph
import StoreSQL
import Testing

@Suite("Cells and values")
struct ColumnCodecTests {
    @Test("A date of whole seconds that is stored as an integer is read as a date")
    func wholeSeconds() throws {
        #expect(try ColumnCodec.value(of: .integer(700_000_000), .date) == .real(700_000_000))
        #expect(try ColumnCodec.value(of: .real(0.5), .date) == .real(0.5))
        #expect(try ColumnCodec.cell(of: .real(700_000_000), .date) == .real(700_000_000))
    }

    @Test("Decimals are read by their shortest text and written with the column's precision")
    func decimals() throws {
        let third = try #require(Decimal(string: "3.3333333333"))
        #expect(try ColumnCodec.value(of: .real(3.3333333333), .decimal) == .decimal(third))
        #expect(try ColumnCodec.value(of: .integer(12), .decimal) == .decimal(12))
        #expect(try ColumnCodec.value(of: .text("0.10"), .decimal) == .decimal(Decimal(1) / 10))
        #expect(try ColumnCodec.cell(of: .decimal(12), .decimal) == .integer(12))
        #expect(try ColumnCodec.cell(of: .decimal(Decimal(1) / 10), .decimal) == .real(0.1))
        #expect(try ColumnCodec.cell(of: .decimal(.nan), .decimal) == .null)
        let wide = try #require(Decimal(string: "123456789012345678901234567890"))
        #expect(try ColumnCodec.cell(of: .decimal(wide), .decimal) == .real(1.2345678901234568e29))
    }

    @Test("UUIDs are sixteen raw bytes; texts are accepted")
    func uuids() throws {
        let uuid = UUID()
        let cell = try ColumnCodec.cell(of: .uuid(uuid), .uuid)
        #expect(cell == .bytes(withUnsafeBytes(of: uuid.uuid) { Data($0) }))
        #expect(try ColumnCodec.value(of: cell, .uuid) == .uuid(uuid))
        #expect(try ColumnCodec.value(of: .text(uuid.uuidString), .uuid) == .uuid(uuid))
        #expect(throws: CellError(type: .uuid, found: "BLOB")) {
            try ColumnCodec.value(of: .bytes(Data([1, 2])), .uuid)
        }
    }

    @Test("Booleans are 0 and 1")
    func booleans() throws {
        #expect(try ColumnCodec.value(of: .integer(7), .boolean) == .integer(1))
        #expect(try ColumnCodec.cell(of: .integer(7), .boolean) == .integer(1))
        #expect(throws: CellError.self) { try ColumnCodec.value(of: .text("YES"), .boolean) }
    }

    @Test("NULL is nil for every type", arguments: AttributeType.allCases)
    func nulls(type: AttributeType) throws {
        #expect(try ColumnCodec.value(of: .null, type) == .null)
        #expect(try ColumnCodec.cell(of: .null, type) == .null)
    }

    @Test("A value of the wrong kind is refused, without its content in the error")
    func mismatch() {
        let error = #expect(throws: CellError.self) { try ColumnCodec.cell(of: .text("secret"), .integer64) }
        #expect(error?.description.contains("secret") == false)
        #expect(throws: CellError.self) { try ColumnCodec.value(of: .real(1.5), .integer32) }
        #expect(throws: CellError.self) {
            try ColumnCodec.cell(of: .reference(.temporary(entityName: "Item")), .integer64)
        }
    }
}
