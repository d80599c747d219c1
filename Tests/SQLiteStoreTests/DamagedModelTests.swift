import Foundation
import ObjectGraph
import StoreSQL
import TestSupport
import Testing

@testable import AppleFormats
@testable import SQLiteStore

/// Damaged model archives, as compilers and stores write them. `OPENSWIFTDATA_FUZZ_COUNT` sets how many of each kind;
/// `OPENSWIFTDATA_SEED` which.
@Suite("Damaged compiled models")
struct DamagedModelTests {
    private static let count = Seeds.damagedInputs(150)

    enum Kind: CaseIterable {
        /// A `.mom` file.
        case archive
        /// A store's cell, damaged and compressed again.
        case packedArchive
        /// A store's cell, damaged as it is.
        case cell

        func damage(_ archive: [UInt8], _ cell: [UInt8], _ random: inout SeededGenerator) throws -> Data {
            switch self {
            case .archive: Data(withDamage(archive, &random))
            case .packedArchive: try Deflate.compress(Data(withDamage(archive, &random)))
            case .cell: Data(withDamage(cell, &random))
            }
        }

        func read(_ data: Data) throws(ArchivedModelError) -> CompiledModel {
            self == .archive ? try CompiledModel(mom: data) : try CompiledModel(cache: data)
        }
    }

    @Test("are refused, or read as other models; the process never traps", arguments: Kind.allCases)
    func damaged(_ kind: Kind) throws {
        let cell = Array(try #require(try ArchivedModel.deflated(Zoo.model())))
        let archive = Array(try Inflate.expand(Data(cell)))
        var random = SeededGenerator(seed: Seeds.base &* 1_000_003)
        var refused = 0
        for number in 0..<Self.count {
            let data = try kind.damage(archive, cell, &random)
            do throws(ArchivedModelError) {
                let read = try kind.read(data)
                #expect(read.model.entities.count == read.model.versionHashes.count, "seed \(Seeds.base), \(number)")
                _ = StorageMap(read.model)
            } catch {
                refused += 1
            }
        }
        #expect(refused > 0, "seed \(Seeds.base)")
        if kind != .cell { #expect(refused < Self.count, "seed \(Seeds.base)") }
    }
}
