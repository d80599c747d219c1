import ArgumentParser
import Foundation
import ModelText
import ObjectGraph
import SQLiteStore
import StoreInspection

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "The model in a file, as a list, code or diagram.",
        discussion: """
            EXAMPLES
              modelstore schema default.store
              modelstore schema default.store Item
              modelstore schema default.store --as swift > Models.swift
              modelstore schema default.store --as svg -o model.svg
              modelstore schema default.store --as xml -o Model.xcdatamodeld
              modelstore schema default.store --as coredata -o folder
              modelstore schema App.momd
            """)

    enum Form: String, ExpressibleByArgument, CaseIterable {
        case list, swift, coredata, xml, svg
    }

    @OptionGroup var store: StoreArgument

    @Argument(help: "One entity only (in the list).", completion: NameCompletion.entities)
    var entity: String?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            """
            list; swift (@Model classes); coredata (NSManagedObject classes); xml (the contents of an .xcdatamodel); svg \
            (a diagram).
            """, valueName: "form"))
    var form: Form = .list

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Write to this file; for Core Data classes, which are several files, to this folder; for XML, to this "
                + ".xcdatamodeld.", valueName: "path"),
        completion: .file())
    var output: String?

    @OptionGroup var format: FormatOptions

    func validate() throws {
        if entity != nil, form != .list { throw ValidationError("An entity may be given for the list only.") }
        if !format.isTable, form != .list { throw ValidationError("--format is for the list; leave it out with --as.") }
        if let output { try store.checkIsNoPart(output) }
        if output != nil, form == .list {
            throw ValidationError("--output is for code and diagrams (--as); the list goes to standard output.")
        }
        if form == .coredata, let output, output.hasSuffix(".swift") {
            throw ValidationError(
                "Core Data classes are several files: give a folder to write them to, not \(output). Without --output, all "
                    + "of them go to standard output.")
        }
    }

    func run() throws {
        if ModelFiles.isModel(store.url) { return try showModelFile() }
        try store.inspecting { file in
            // Needs the model only; its tables may be missing.
            let model = try file.model()
            switch form {
            case .list: try writeList(model)
            case .swift: try write(SwiftModelSource(model, rawValues: try rawValues(model, file)).text)
            case .coredata: try writeClasses(model)
            case .xml: try writeDocument(model)
            case .svg: try write(ModelDiagram(model, title: file.url.lastPathComponent).svg)
            }
        }
    }

    /// Shows the current version of a model file.
    private func showModelFile() throws {
        let versions = try ModelFiles.versions(at: store.url)
        guard let current = versions.current else {
            throw InspectionError.badInput(
                "The current version of \(store.file) is '\(versions.currentVersion)', which is not among its versions."
            )
        }
        let others = versions.versions.map(\.name).filter { $0 != current.name }
        if !others.isEmpty {
            Output.note("Note: This is version \(current.name); there are also \(others.joined(separator: ", ")).")
        }
        switch form {
        case .list: try writeList(current.model)
        case .swift: try write(SwiftModelSource(current.model, rawValues: [:]).text)
        case .coredata: try writeClasses(current.model)
        case .xml: try writeDocument(current.model)
        case .svg: try write(ModelDiagram(current.model, title: store.url.lastPathComponent).svg)
        }
    }

    /// The values of enums in the rows; empty if the rows cannot be read.
    /// - Throws: `Stopped`.
    private func rawValues(_ model: Model, _ file: InspectedFile) throws -> [SwiftModelSource.RawValuePlace: [Value]] {
        guard let store = try? file.store() else { return [:] }
        return try Interruption.stopping(store) {
            var found: [SwiftModelSource.RawValuePlace: [Value]] = [:]
            for (place, entityIndex, slot) in SwiftModelSource.enumPlaces(model) {
                found[place] = try? store.reading {
                    try $0.distinctValues(ofSlot: slot, entityIndex: entityIndex, limit: 200)
                }
                try Interruption.check()
            }
            return found
        }
    }

    private func write(_ text: String) throws {
        guard let output else { return try Output.standard.write(text.last == "\n" ? text : text + "\n") }
        try writing(output) { try Data(text.utf8).write(to: $0, options: .withoutOverwriting) }
        Output.note("Written to \(output).")
    }

    private func writing(_ path: String, _ body: (URL) throws -> Void) throws {
        guard !FileManager.default.fileExists(atPath: path) else { throw InspectionError.alreadyThere(path) }
        do {
            try body(URL(fileURLWithPath: path))
        } catch {
            throw InspectionError.badInput("\(path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Writes all classes as one text, or as a folder with at least one file for each class.
    private func writeClasses(_ model: Model) throws {
        guard let output else { return try write(CoreDataSource.classes(model)) }
        let folder = try UnfinishedOutput(URL(fileURLWithPath: output, isDirectory: true), isFolder: true)
        let files = CoreDataSource.files(model)
        do {
            try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
            for file in files { try Data(file.text.utf8).write(to: folder.url.appendingPathComponent(file.name)) }
            try folder.finish()
        } catch let error as CocoaError {
            folder.remove()
            throw InspectionError.badInput("The folder \(output) cannot be written: \(error.localizedDescription)")
        } catch {
            folder.remove()
            throw error
        }
        Output.note("\(Amounts.count(files.count, "file")) written to the folder \(output).")
    }

    private func writeDocument(_ model: Model) throws {
        guard let output, CoreDataSource.isDocument(URL(fileURLWithPath: output)) else {
            return try write(CoreDataSource.xml(model))
        }
        try writing(output) { try CoreDataSource.writeDocument(model, to: $0) }
        Output.note("Written to \(output).")
    }

    // MARK: List

    private func writeList(_ model: Model) throws {
        let entities = try entity.map { [try model.inspectedEntity($0)] } ?? ModelOutline.sorted(model)
        switch format.format {
        case .json, .ndjson:
            try format.write(
                entity == nil ? ModelOutline.value(model) : .list(entities.map { ModelOutline.entity($0, model) }))
        case .csv: try writeCSV(entities)
        case .table:
            for (place, entity) in entities.enumerated() {
                if place > 0 { try Output.standard.line() }
                try format.write(SchemaText(entity, model).lines)
            }
        }
    }

    private func writeCSV(_ entities: [Entity]) throws {
        let records: [[InspectedValue]] = entities.flatMap { entity in
            ModelOutline.ownAttributes(entity).map { attribute in
                [
                    .text(entity.name), .text(attribute.name), "attribute", .text(TypeText.text(attribute.attribute)),
                    .boolean(attribute.attribute.isOptional), .none, .none,
                ]
            }
                + ModelOutline.ownRelationships(entity).map { relationship in
                    [
                        .text(entity.name), .text(relationship.name),
                        .text(TypeText.cardinality(relationship.relationship)),
                        .text(relationship.relationship.destinationName),
                        .boolean(relationship.relationship.isOptional),
                        .optional(relationship.relationship.inverseName),
                        .text(TypeText.text(relationship.relationship.deleteRule)),
                    ]
                }
        }
        try format.write(
            ["entity", "property", "kind", "type", "optional", "inverse", "deleteRule"], records, nothing: "")
    }
}

/// The description of one entity as text.
struct SchemaText {
    private let entity: Entity
    private let model: Model

    init(_ entity: Entity, _ model: Model) {
        self.entity = entity
        self.model = model
    }

    private var attributes: [Attribute] { ModelOutline.ownAttributes(entity).map(\.attribute) }
    private var relationships: [Relationship] { ModelOutline.ownRelationships(entity).map(\.relationship) }

    var lines: [TonedLine] {
        var lines = [head]
        let names = attributes.map(\.name) + relationships.map(\.name) + attributes.flatMap(leafNames)
        let width = names.map { TextWidth.columns(of: $0) }.max() ?? 0
        for attribute in attributes { lines += Self.lines(attribute, width, indentation: "  ") }
        for relationship in relationships { lines.append(line(relationship, width)) }
        for constraint in entity.uniquenessConstraints {
            lines.append(TonedLine("  unique: \(constraint.joined(separator: " + "))", .dim))
        }
        for index in entity.indexes {
            let parts = index.elements.map { $0.isAscending ? $0.propertyName : $0.propertyName + " descending" }
            let condition = index.condition.map { ", where \($0)" } ?? ""
            lines.append(TonedLine("  index \(index.name): \(parts.joined(separator: ", "))\(condition)", .dim))
        }
        return lines
    }

    private func leafNames(_ attribute: Attribute) -> [String] { attribute.elements.map { "  " + $0.name } }

    private var head: TonedLine {
        var line = TonedLine(entity.name, .strong)
        if let index = entity.superentityIndex { line = line.adding(" : \(model[index].name)") }
        return entity.isAbstract ? line.adding("  abstract", .dim) : line
    }

    private static func lines(_ attribute: Attribute, _ width: Int, indentation: String) -> [TonedLine] {
        var remarks = TypeText.remarks(attribute)
        if let value = attribute.defaultValue?.first, !value.isNull, attribute.type != .composite {
            remarks.append("= \(ModelOutline.defaultValue(value, attribute).cellText)")
        }
        let line = TonedLine(indentation + CellText.padded(attribute.name, width)).adding(
            TypeText.text(attribute), .good
        )
        .adding(remarks.isEmpty ? "" : "  " + remarks.joined(separator: ", "), .dim)
        // An enum with one raw value is described by the type of that value.
        if attribute.isEnum, attribute.elements.count == 1, let leaf = attribute.elements.first {
            return [line.adding(" of \(TypeText.text(leaf).replacing("?", with: ""))", .dim)]
        }
        if attribute.isEnum, !attribute.elements.isEmpty {
            return [line.adding("  " + attribute.elements.map(\.name).joined(separator: " | "), .dim)]
        }
        return [line] + attribute.elements.flatMap { lines($0, width - 2, indentation: indentation + "  ") }
    }

    private func line(_ relationship: Relationship, _ width: Int) -> TonedLine {
        let arrow = relationship.cardinality == .toOne ? "─▶ " : "═▶ "
        let ending =
            relationship.cardinality == .toOne && relationship.isOptional ? "?" : ""
        var details = [TypeText.cardinality(relationship), TypeText.text(relationship.deleteRule)]
        details.append(relationship.inverseName.map { "inverse \($0)" } ?? "no inverse")
        if !relationship.isOptional, relationship.cardinality == .toOne { details.append("must have one") }
        return TonedLine("  " + CellText.padded(relationship.name, width)).adding(arrow, .dim)
            .adding(relationship.destinationName + ending, .strong).adding("  " + details.joined(separator: ", "), .dim)
    }
}
