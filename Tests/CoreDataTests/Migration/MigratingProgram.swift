import Foundation
import TestSupport

/// A copy of `CrashChild` in a folder with two versions of a model and a mapping model beside it, where a program finds its own
/// resources, and folders of stores that it migrates.
final class MigratingProgram {
    private let resources: MappingFolder
    private var program: URL { resources.url.appendingPathComponent("CrashChild") }

    struct Result {
        let isKilled: Bool
        let lines: [String]
        /// The last line of the output.
        var count: Int { lines.last.flatMap { Int($0) } ?? 0 }
    }

    init() throws {
        resources = try MappingFolder(withModels: false)
        try resources.write(Self.first, to: "Farm.xcdatamodeld/Farm 1.xcdatamodel/contents")
        try resources.write(Self.second, to: "Farm.xcdatamodeld/Farm 2.xcdatamodel/contents")
        try resources.add(Self.mapping)
        try FileManager.default.copyItem(at: BuiltProgram.crashChild.url, to: program)
    }

    func folder(_ name: String) throws -> String {
        let url = resources.url.appendingPathComponent("stores/\(name)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url.path
    }

    func copy(_ folder: String, _ name: String) throws -> String {
        let target = try self.folder(name)
        try FileManager.default.removeItem(atPath: target)
        try FileManager.default.copyItem(atPath: folder, toPath: target)
        return target
    }

    func run(_ arguments: [String]) throws -> Result {
        let (process, output) = (Process(), Pipe())
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Result(
            isKilled: process.terminationReason == .uncaughtSignal,
            lines: text.split(separator: "\n").map(String.init))
    }

    // MARK: Resources

    private static let first = """
        <model>
            <entity name="Animal">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                <relationship name="keeper" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Keeper" inverseName="animals" inverseEntity="Keeper"/>
            </entity>
            <entity name="Keeper">
                <attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="animals" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Animal" inverseName="keeper" inverseEntity="Animal"/>
            </entity>
        </model>
        """

    /// Animals get an uppercase name, and names of keepers are renamed.
    private static let second = """
        <model>
            <entity name="Animal">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="loud" optional="YES" attributeType="String"/>
                <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                <relationship name="keeper" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Keeper" inverseName="wards" inverseEntity="Keeper"/>
            </entity>
            <entity name="Keeper">
                <attribute name="fullName" optional="YES" attributeType="String"/>
                <relationship name="wards" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Animal" inverseName="keeper" inverseEntity="Animal"/>
            </entity>
        </model>
        """

    private static var mapping: MappingText {
        let source = "source"
        return MappingText(entities: [
            .init(
                source: "Keeper", destination: "Keeper", attributes: [.init("fullName", .path("name", of: source))],
                relationships: [
                    .init(
                        "wards",
                        .call(
                            .variable("manager"), "destinationInstancesForEntityMappingNamed:sourceInstances:",
                            [.text("AnimalToAnimal"), .path("animals", of: source)]))
                ]),
            .init(
                source: "Animal", destination: "Animal",
                attributes: [
                    .init("name"), .init("photo"), .init("loud", .function("uppercase:", [.path("name", of: source)])),
                ],
                relationships: [.init("keeper")]),
        ])
    }
}
