import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Damaged mapping models, as compilers and Xcode write them. `OPENSWIFTDATA_FUZZ_COUNT` sets how many of each kind;
/// `OPENSWIFTDATA_SEED` which.
@Suite("Damaged mapping models")
struct DamagedMappingTests {
    private static let count = Seeds.damagedInputs(100)

    enum Kind: CaseIterable {
        /// An XML file with damaged text.
        case document
        /// An intact XML file with a damaged archive of an expression.
        case expression
        /// A compiled file.
        case compiled
    }

    private static let expression = ArchivedPart.call(
        .variable("manager"), "destinationInstancesForEntityMappingNamed:sourceInstances:",
        [.text("KeeperToKeeper"), .function("uppercase:", [.path("keeper.name", of: "source")])])

    private static func mapping(_ archive: String?) -> MappingText {
        let value = archive.map { ["valueexpressiondata": $0] } ?? [:]
        return MappingText(entities: [
            .init(
                source: "Animal", destination: "Animal",
                attributes: [.init("name", archive == nil ? expression : nil, value), .init("years")],
                relationships: [.init("keeper"), .init("records", nil, ["sourcekeypath": "$source"])],
                others: [
                    "sourcefilterpredicatestring": "age > 3",
                    "userinfodata": ArchiveWriter.archive(notes: ["a": "b"]).base64EncodedString(),
                ]),
            .init(source: "Keeper", destination: "Keeper", attributes: [.init("fullName")]), .init(source: "Cage"),
        ])
    }

    private static var compiled: Data {
        var writer = ArchiveWriter()
        let name = writer.add(
            "NSPropertyMapping",
            ["NSDestinationPropertyName": writer.add(.string("name")), "NSValueExpression": writer.add(expression)])
        let animal = writer.add(
            "NSEntityMapping",
            [
                "NSMappingName": writer.add(.string("AnimalToAnimal")), "NSMappingType": .integer(5),
                "NSSourceEntityName": writer.add(.string("Animal")),
                "NSSourceEntityVersionHash": writer.add(.data(Data(count: 32))),
                "NSDestinationEntityName": writer.add(.string("Animal")),
                "NSSourceExpression": writer.add(.fetch(request: expression, context: .variable("manager"))),
                "NSAttributeMappings": writer.add(list: [name, name]),
                "NSUserInfo": writer.add(notes: ["a": "b"]),
            ])
        let root = writer.add("NSMappingModel", ["NSEntityMappings": writer.add(list: [animal, animal])])
        return writer.finished(root)
    }

    @Test("are refused, or read as other mappings; the process never traps", arguments: Kind.allCases)
    func damaged(_ kind: Kind) throws {
        let folder = try MappingFolder()
        let models = MappingResolution.Models(
            source: try folder.version("Farm 1"), destination: try folder.version("Farm 2"))
        let versions = ModelVersions([folder.model])
        let file = folder.url.appendingPathComponent(kind == .compiled ? "m.cdm" : "m.xcmappingmodel/xcmapping.xml")
        try folder.write("", to: kind == .compiled ? "m.cdm" : "m.xcmappingmodel/xcmapping.xml")
        let (text, archive, compiled) = (
            Array(Self.mapping(nil).xml.utf8), Array(ArchiveWriter.archive(Self.expression)), Array(Self.compiled)
        )
        var random = SeededGenerator(seed: Seeds.base &* 1_000_003)
        var refused = 0
        for number in 0..<Self.count {
            let data =
                switch kind {
                case .document: Data(Self.damage(text, &random))
                case .expression:
                    Data(Self.mapping(Data(Self.damage(archive, &random)).base64EncodedString()).xml.utf8)
                case .compiled: Data(Self.damage(compiled, &random))
                }
            try data.write(to: file)
            guard let read = try? MappingFile(contentsOf: file) else {
                refused += 1
                continue
            }
            _ = read.fit(models, versions)
            for mapping in read.mappings(models) + read.mappings(versions) + read.mappings(ModelVersions([])) {
                #expect(mapping.name != nil, "seed \(Seeds.base), \(number)")
                use(mapping)
            }
        }
        #expect(refused < Self.count, "seed \(Seeds.base)")
        if kind != .expression { #expect(refused > 0, "seed \(Seeds.base)") }
    }

    /// Prints and evaluates each expression.
    private func use(_ mapping: NSEntityMapping) {
        let properties = (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? [])
        let variables: NSMutableDictionary = ["source": ["name": "Rex", "keeper": ["name": "Ida"]] as [String: Any]]
        for expression in properties.compactMap(\.valueExpression) + [mapping.sourceExpression].compactMap(\.self) {
            _ = expression.description
            _ = expression.expressionValue(with: nil, context: variables)
        }
        for property in properties { _ = property.unknownMethod }
    }

    /// Changes bytes, removes or repeats a piece, or cuts off the end.
    private static func damage(_ original: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let start = Int.random(in: bytes.indices, using: &random)
            let end = min(bytes.count, start + Int.random(in: 1...40, using: &random))
            switch Int.random(in: 0..<7, using: &random) {
            case 0...1: bytes[start] = .random(in: .min ... .max, using: &random)
            case 2: bytes[start] = .random(in: 0x20...0x7E, using: &random)
            case 3: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 4: bytes.removeSubrange(start..<end)
            case 5: bytes.insert(contentsOf: bytes[start..<end], at: end)
            default: if Bool.random(using: &random) { bytes.removeLast(bytes.count - start) }
            }
        }
        return bytes
    }
}
