import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// Model archives as compilers and stores keep them, damaged. `OPENSWIFTDATA_FUZZ_COUNT` says how many of each kind;
/// `OPENSWIFTDATA_SEED` which.
@Suite("Damaged compiled models")
struct DamagedModelTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["OPENSWIFTDATA_FUZZ_COUNT"].flatMap(Int.init) ?? 150
    private static let seed = environment["OPENSWIFTDATA_SEED"].flatMap(UInt64.init) ?? 0

    enum Kind: CaseIterable {
        /// What a `.mom` file is.
        case archive
        /// What a store's cell is, when whoever damaged it packed it again.
        case packedArchive
        /// A store's cell as it is.
        case cell

        func damage(_ archive: [UInt8], _ cell: [UInt8], _ random: inout SplitMix) throws -> Data {
            switch self {
            case .archive: Data(withDamage(archive, &random))
            case .packedArchive: try Deflate.compress(Data(withDamage(archive, &random)))
            case .cell: Data(withDamage(cell, &random))
            }
        }

        func read(_ data: Data) throws(ModelCacheError) -> CompiledModel {
            self == .archive ? try CompiledModel(mom: data) : try CompiledModel(cache: data)
        }
    }

    @Test("are refused, or are other models: nothing stops the process", arguments: Kind.allCases)
    func damaged(_ kind: Kind) throws {
        let cell = Array(try #require(try ModelCache.content(of: Zoo.model())))
        let archive = Array(try Inflate.expand(Data(cell)))
        var random = SplitMix(state: Self.seed &* 1_000_003)
        var refused = 0
        for number in 0..<Self.count {
            let data = try kind.damage(archive, cell, &random)
            do throws(ModelCacheError) {
                let read = try kind.read(data)
                #expect(read.model.entities.count == read.model.versionHashes.count, "seed \(Self.seed), \(number)")
                _ = StorageMap(read.model)
            } catch {
                refused += 1
            }
        }
        #expect(refused > 0, "seed \(Self.seed)")
        if kind != .cell { #expect(refused < Self.count, "seed \(Self.seed)") }
    }
}

/// One to four of: a byte changed, a bit, a number made large, a piece cut out, a piece twice, the end missing.
private func withDamage(_ original: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let start = Int.random(in: bytes.indices, using: &random)
        let end = min(bytes.count, start + Int.random(in: 1...40, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0...2: bytes[start] = .random(in: .min ... .max, using: &random)
        case 3: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 4: for place in start..<min(end, start + 8) { bytes[place] = 0xFF }
        case 5: bytes.removeSubrange(start..<end)
        case 6: bytes.insert(contentsOf: bytes[start..<end], at: end)
        default: if Bool.random(using: &random) { bytes.removeLast(bytes.count - start) }
        }
    }
    return bytes
}
