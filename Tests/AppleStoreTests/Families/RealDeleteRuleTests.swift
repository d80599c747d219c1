import Foundation
import ObjectGraph
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteStore
@testable import SwiftData

@Suite("Delete rules of real models")
struct RealDeleteRuleTests {
    @Test("model classes of Apple's files give no warnings")
    func classes() throws {
        for family in [CocktailFamily.schema, ResourceFamily.schema, CarFamily1.schema, CarFamily2.schema] {
            #expect(try DeleteRuleLint.warnings(of: family.compiled()) == [])
        }
    }

    @Test(
        "no file of Apple's is refused, and every key has its index", .realFiles,
        arguments: RealFile.all)
    func files(file: RealFile) throws {
        try file.withCopiedFile { url in
            let model = try #require(try ModelCache.model(try Connection(.file(url), access: .readOnly)))
            let found = DeleteRuleLint.warnings(of: model)
            #expect(found == [])
            #expect(found.allSatisfy { $0.severity == .warning })
            #expect(try SQLiteStore(model: model, location: .file(url), isReadOnly: true).openingWarnings == [])
        }
    }
}
