import AppleFormats
import Foundation
import ModelText
import ObjectGraph
import PredicateFormat

/// Completes the mappings of a document with those that follow from the two models.
struct MappingResolution {
    let document: MappingDocument
    /// `nil` if they were not found; the implied values are then determined object by object.
    let models: Models?

    struct Models {
        let source: NSManagedObjectModel
        let destination: NSManagedObjectModel
    }

    /// Both by index in the document.
    private let names: [String]
    private let ends: [Ends]

    init(_ document: MappingDocument, _ models: Models?) {
        self.document = document
        self.models = models
        let (sources, destinations) = (models?.source.entitiesByName ?? [:], models?.destination.entitiesByName ?? [:])
        ends = document.entities.map { entity in
            Ends(
                entity: entity, source: entity.sourceName.flatMap { sources[$0] },
                destination: entity.destinationName.flatMap { destinations[$0] })
        }
        var taken: Set<String> = []
        names = document.entities.map { entity in
            let wanted = entity.name ?? Self.name(of: entity)
            var name = wanted
            var number = 1
            while !taken.insert(name).inserted {
                number += 1
                name = "\(wanted)_\(number)"
            }
            return name
        }
    }

    /// The default name of a mapping, which Xcode leaves out.
    private static func name(of entity: MappingDocument.Entity) -> String {
        [entity.sourceName, entity.destinationName].compactMap(\.self).joined(separator: "To")
    }

    var mappings: [NSEntityMapping] { zip(names, ends).map(mapping) }

    private func mapping(_ name: String, _ ends: Ends) -> NSEntityMapping {
        let entity = ends.entity
        let mapping = NSEntityMapping()
        mapping.name = name
        mapping.sourceEntityName = entity.sourceName
        mapping.sourceEntityVersionHash = ends.source?.versionHash
        mapping.destinationEntityName = entity.destinationName
        mapping.destinationEntityVersionHash = ends.destination?.versionHash
        mapping.mappingType = type(of: mapping, entity.type)
        mapping.entityMigrationPolicyClassName = entity.policyClassName
        mapping.sourceExpression = sourceExpression(entity)
        mapping.attributeMappings = entity.attributes.map { property($0, ends, derived: attribute) }
        mapping.relationshipMappings = entity.relationships.map { property($0, ends, derived: relationship) }
        mapping.userInfo = Self.userInfo(entity.userInfo)
        return mapping
    }

    /// The source and destination entities of a mapping, as far as they are known.
    private struct Ends {
        let entity: MappingDocument.Entity
        let source: NSEntityDescription?
        let destination: NSEntityDescription?
    }

    private func type(of mapping: NSEntityMapping, _ written: MappingDocument.Kind?) -> NSEntityMappingType {
        switch written {
        case .custom?: return .customEntityMappingType
        case .add?: return .addEntityMappingType
        case .remove?: return .removeEntityMappingType
        case .copy?: return .copyEntityMappingType
        case .transform?: return .transformEntityMappingType
        case nil: break
        }
        if mapping.sourceEntityName == nil { return .addEntityMappingType }
        if mapping.destinationEntityName == nil { return .removeEntityMappingType }
        guard let source = mapping.sourceEntityVersionHash, let destination = mapping.destinationEntityVersionHash
        else {
            return .undefinedEntityMappingType
        }
        return source == destination ? .copyEntityMappingType : .transformEntityMappingType
    }

    private static func userInfo(_ archive: Data?) -> [AnyHashable: Any]? {
        let notes = archive.map { [String: PropertyList](archivedNotes: $0) } ?? [:]
        return notes.isEmpty ? nil : notes.foundationValue
    }

    // MARK: Expressions

    /// An archived expression. One that cannot be read makes the migration that uses it fail.
    private static func expression(archived data: Data) -> NSExpression {
        do throws(ColumnArchiveError) {
            return NSExpression(format: try ArchivedExpression(data).text)
        } catch {
            let reason = FormatError(.unsupported("an expression that is not archived as such"), at: 0)
            return NSExpression(tree: .malformed(reason, text: error.description))
        }
    }

    private func sourceExpression(_ entity: MappingDocument.Entity) -> NSExpression? {
        if let archived = entity.sourceExpression { return Self.expression(archived: archived) }
        guard let name = entity.sourceName else { return nil }
        let request = NSExpression(
            forFunction: NSExpression(forVariable: NSMigrationManagerKey), selectorName: MappingFunctions.request,
            arguments: [name, entity.filter ?? "TRUEPREDICATE"])
        let context = NSExpression(format: "$\(NSMigrationManagerKey).sourceContext")
        return NSFetchRequestExpression.expression(forFetch: request, context: context, countOnly: false)
    }

    /// - Parameter derived: returns the expression that follows from the models.
    private func property(
        _ property: MappingDocument.Property, _ ends: Ends, derived: (String, Ends) -> NSExpression?
    ) -> NSPropertyMapping {
        let mapping = NSPropertyMapping()
        mapping.name = property.name
        mapping.userInfo = Self.userInfo(property.userInfo)
        if let written = written(property) {
            mapping.valueExpression = written
        } else if property.isDerived, models != nil {
            mapping.valueExpression = derived(property.name, ends)
        } else if property.isDerived, ends.entity.sourceName != nil {
            mapping.valueExpression = Self.source(property.name)
            mapping.isAssumed = true
        }
        return mapping
    }

    /// Stored attributes keep their values.
    private func attribute(_ name: String, _ ends: Ends) -> NSExpression? {
        guard let source = ends.source?.attributesByName[name], !source.isTransient,
            let own = ends.destination?.attributesByName[name], !own.isTransient,
            !(own is NSDerivedAttributeDescription)
        else { return nil }
        return Self.source(name)
    }

    /// Relationships refer to the new objects of their former destinations.
    private func relationship(_ name: String, _ ends: Ends) -> NSExpression? {
        guard let source = ends.source?.relationshipsByName[name], let own = ends.destination?.relationshipsByName[name]
        else { return nil }
        return Self.objects(bringing(source, to: own), name)
    }

    /// The expression in the document, or the one that a key path and a mapping in it state.
    private func written(_ property: MappingDocument.Property) -> NSExpression? {
        if let archived = property.expression { return Self.expression(archived: archived) }
        let path = property.sourceKeyPath.map { Self.source($0) }
        guard let mapping = property.mappingName else { return path }
        return Self.objects(of: mapping, path ?? Self.source(property.name))
    }

    /// The mapping that makes the new members of a relationship; `nil` if there is not exactly one.
    private func bringing(_ source: NSRelationshipDescription, to own: NSRelationshipDescription) -> String? {
        let fitting = zip(names, ends).filter { _, ends in
            guard let from = ends.source, let to = ends.destination, let member = source.destinationEntity,
                let newMember = own.destinationEntity
            else { return false }
            return from.isKindOf(entity: member) && to.isKindOf(entity: newMember)
        }
        return fitting.count == 1 ? fitting.first?.0 : nil
    }

    /// `$source.path`
    private static func source(_ path: String) -> NSExpression {
        let variable = "$\(NSMigrationSourceObjectKey)"
        if path == variable { return NSExpression(forVariable: NSMigrationSourceObjectKey) }
        let rest = path.hasPrefix(variable + ".") ? String(path.dropFirst(variable.count + 1)) : path
        return NSExpression(format: "\(variable).%K", rest)
    }

    /// The new objects of the members: by one mapping, or by any.
    private static func objects(_ mapping: String?, _ relationship: String) -> NSExpression {
        guard let mapping else {
            return NSExpression(
                forFunction: NSExpression(forVariable: NSMigrationManagerKey),
                selectorName: MappingFunctions.byRelationship, arguments: [relationship, source(relationship)])
        }
        return objects(of: mapping, source(relationship))
    }

    private static func objects(of mapping: String, _ members: NSExpression) -> NSExpression {
        NSExpression(
            forFunction: NSExpression(forVariable: NSMigrationManagerKey), selectorName: MappingFunctions.byMapping,
            arguments: [mapping, members])
    }
}
