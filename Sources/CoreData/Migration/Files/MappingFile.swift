import AppleFormats
import Foundation
import ModelText

/// A mapping model on disk: compiled (`.cdm`), or as Xcode's file (`.xcmappingmodel`). Swift packages copy the latter unchanged
/// where there is no mapping model compiler.
struct MappingFile {
    private let content: Content
    /// Resolves the class names of policies, which a file states without their module, as a model's does.
    private let classes: ClassNames

    private enum Content {
        case compiled(CompiledMapping)
        case document(MappingDocument)
    }

    private static let compiledExtension = "cdm"

    /// - Throws: `CompiledMappingError`, `MappingDocumentError`, errors of reading the file.
    init(contentsOf url: URL) throws {
        classes = ClassNames(modelAt: url)
        content =
            url.pathExtension == Self.compiledExtension
            ? .compiled(try CompiledMapping(cdm: Data(contentsOf: url)))
            : .document(try MappingDocument(contentsOf: url))
    }

    // MARK: Mappings

    /// The mappings for known models.
    func mappings(_ models: MappingResolution.Models) -> [NSEntityMapping] { mappings { _ in models } }

    /// The mappings for the models that the file names, if they are found.
    func mappings(_ versions: ModelVersions) -> [NSEntityMapping] { mappings(versions.models) }

    private func mappings(_ models: (MappingDocument) -> MappingResolution.Models?) -> [NSEntityMapping] {
        let mappings =
            switch content {
            case .compiled(let mapping): mapping.entities.map(NSEntityMapping.init)
            case .document(let document): MappingResolution(document, models(document)).mappings
            }
        for mapping in mappings {
            mapping.entityMigrationPolicyClassName = classes.name(mapping.entityMigrationPolicyClassName)
        }
        return mappings
    }

    // MARK: Fitting

    /// The certainty that a file is for two models.
    enum Fit: Comparable {
        /// All names in it are in the models.
        case byNames
        /// It states their versions.
        case byVersions
    }

    /// - Returns: `nil` for a file for other models.
    func fit(_ models: MappingResolution.Models, _ versions: ModelVersions) -> Fit? {
        switch content {
        case .compiled(let mapping): Self.hasHashes(mapping, models) ? .byVersions : nil
        case .document(let document): Self.fit(document, models, versions)
        }
    }

    private static func hasHashes(_ mapping: CompiledMapping, _ models: MappingResolution.Models) -> Bool {
        let source = models.source.entityVersionHashesByName
        let destination = models.destination.entityVersionHashesByName
        return mapping.entities.allSatisfy { entity in
            (entity.sourceName.map { source[$0] == entity.sourceHash } ?? true)
                && (entity.destinationName.map { destination[$0] == entity.destinationHash } ?? true)
        }
    }

    private static func fit(
        _ document: MappingDocument, _ models: MappingResolution.Models, _ versions: ModelVersions
    ) -> Fit? {
        guard hasNames(document, models) else { return nil }
        let ends = [(document.source, models.source), (document.destination, models.destination)]
        let isNamed = ends.map { path, model in path.flatMap(versions.model).map { $0.isVersion(of: model) } }
        if isNamed.contains(false) { return nil }
        return isNamed.allSatisfy { $0 == true } ? .byVersions : .byNames
    }

    private static func hasNames(_ document: MappingDocument, _ models: MappingResolution.Models) -> Bool {
        let (sources, destinations) = (models.source.entitiesByName, models.destination.entitiesByName)
        return document.entities.allSatisfy { entity in
            let hasSource = entity.sourceName.map { sources[$0] != nil } ?? true
            guard let name = entity.destinationName else { return hasSource }
            guard hasSource, let destination = destinations[name] else { return false }
            return entity.attributes.allSatisfy { destination.attributesByName[$0.name] != nil }
                && entity.relationships.allSatisfy { destination.relationshipsByName[$0.name] != nil }
        }
    }

    // MARK: Bundles

    /// The mappings from one model to the other, from all mapping models among the resources of bundles. The file with the greatest
    /// certainty is used, and of several such files the first by name.
    static func mappings(_ models: MappingResolution.Models, in bundles: [Bundle]) -> [NSEntityMapping]? {
        let files = bundles.compactMap(\.resourceURL).flatMap(urls).compactMap(readable)
        guard !files.isEmpty else { return nil }
        let versions = ModelVersions(bundles.flatMap(ModelFile.urls))
        var best: (file: MappingFile, fit: Fit)?
        for file in files {
            guard let fit = file.fit(models, versions) else { continue }
            if best.map({ $0.fit < fit }) ?? true { best = (file, fit) }
        }
        return best?.file.mappings(models)
    }

    private static func urls(inFolder folder: URL) -> [URL] {
        ModelFile.resources(inFolder: folder, endings: [compiledExtension, MappingDocument.packageExtension])
    }

    private static func readable(_ url: URL) -> MappingFile? {
        do {
            return try MappingFile(contentsOf: url)
        } catch {
            unreadable(url, error)
            return nil
        }
    }

    static func unreadable(_ url: URL, _ error: any Error) {
        let help = url.pathExtension == compiledExtension ? " Ship the .xcmappingmodel it was made from instead." : ""
        CoreDataLog.logger.error("There is no mapping model in '\(url.lastPathComponent)': \(error)\(help)")
    }
}

/// The versions of models that mapping models may name.
struct ModelVersions {
    private let files: [(name: String, file: ModelFile)]

    /// - Parameter urls: the URLs of models; those that cannot be read are ignored.
    init(_ urls: [URL]) {
        files = urls.compactMap { url in
            (try? ModelFile(contentsOf: url)).map { (url.deletingPathExtension().lastPathComponent, $0) }
        }
    }

    func model(_ path: MappingDocument.ModelPath) -> NSManagedObjectModel? {
        files.lazy.filter { $0.name == path.model }.compactMap { $0.file.versions[path.version] }.first
    }

    /// Both models of a mapping model, if both are found.
    func models(_ document: MappingDocument) -> MappingResolution.Models? {
        guard let source = document.source.flatMap(model), let destination = document.destination.flatMap(model) else {
            return nil
        }
        return MappingResolution.Models(source: source, destination: destination)
    }
}

extension NSManagedObjectModel {
    fileprivate func isVersion(of other: NSManagedObjectModel) -> Bool {
        entityVersionHashesByName == other.entityVersionHashesByName
    }
}

extension NSEntityMapping {
    convenience init(_ compiled: CompiledMapping.Entity) {
        self.init()
        name = compiled.name
        mappingType = UInt(exactly: compiled.type).flatMap(NSEntityMappingType.init) ?? .undefinedEntityMappingType
        sourceEntityName = compiled.sourceName
        sourceEntityVersionHash = compiled.sourceHash
        destinationEntityName = compiled.destinationName
        destinationEntityVersionHash = compiled.destinationHash
        sourceExpression = compiled.sourceExpression.map { NSExpression(format: $0) }
        entityMigrationPolicyClassName = compiled.policyClassName
        attributeMappings = compiled.attributes.map(NSPropertyMapping.init)
        relationshipMappings = compiled.relationships.map(NSPropertyMapping.init)
        userInfo = compiled.userInfo.isEmpty ? nil : compiled.userInfo.foundationValue
    }
}

extension NSPropertyMapping {
    fileprivate convenience init(_ compiled: CompiledMapping.Property) {
        self.init()
        name = compiled.name
        valueExpression = compiled.expression.map { NSExpression(format: $0) }
        userInfo = compiled.userInfo.isEmpty ? nil : compiled.userInfo.foundationValue
    }
}
