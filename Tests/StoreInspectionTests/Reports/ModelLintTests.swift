import ObjectGraph
import Testing

@testable import StoreInspection

@Suite("Linting models")
struct ModelLintTests {
    private func model(optional: Bool, inverse: String?) throws -> Model {
        var base = EntityDescription("Base")
        if inverse != nil { base.relationships = [Relationship("parts", to: "Part", .toMany, inverse: "base")] }
        var part = EntityDescription("Part")
        part.relationships = [Relationship("base", to: "Base", .toOne, inverse: inverse, optional: optional)]
        return try Model([base, part, EntityDescription("Screw", superentity: "Part")])
    }

    @Test("a mandatory to-one without inverse is reported once; an optional one, or one with an inverse, is not")
    func mandatoryWithoutInverse() throws {
        let end = DeleteRuleWarning.End("Part", "base")
        let warning = ModelWarning.mandatoryWithoutInverse(end, destination: "Base")
        #expect(ModelLint.danglingMandatory(try model(optional: false, inverse: nil)) == [warning])
        #expect(ModelLint.danglingMandatory(try model(optional: true, inverse: nil)) == [])
        #expect(ModelLint.danglingMandatory(try model(optional: false, inverse: "parts")) == [])
    }

    @Test("the warning can be silenced by its code, its entity or its name, like the others")
    func silenced() {
        let warning = ModelWarning.mandatoryWithoutInverse(.init("Part", "base"), destination: "Base")
        for entry in ["all", "mandatory-without-inverse", "Part", "Part.base"] {
            #expect(warning.isSilenced(by: [entry]), "\(entry)")
        }
        #expect(!warning.isSilenced(by: ["Base", "nullify-mandatory"]))
        #expect(ModelWarning.codes.contains(warning.code) && Set(ModelWarning.codes).count == ModelWarning.codes.count)
    }
}
