import AppleFormats
import Foundation
import ObjectGraph

extension NSManagedObjectModel {
    /// Creates the model of a `.mom` file or of a store's model cache, with all details of its archive.
    package convenience init(_ compiled: CompiledModel, module: ClassNames = ClassNames()) {
        self.init(compiled.model)
        for entity in entities {
            guard let name = entity.name, let details = compiled.details.entities[name] else { continue }
            let inherited = entity.lineage.dropFirst().compactMap(\.name)
                .flatMap { compiled.details.entities[$0]?.fetchedProperties ?? [] }.map(\.name)
            entity.take(details, inheritedFetchedProperties: Set(inherited), module)
        }
        configurationNames = compiled.details.configurations
        for request in compiled.details.fetchRequests { take(template: request) }
    }

    private func take(template request: ModelDetails.FetchRequest) {
        guard let name = request.entityName, let entity = entity(named: name) else { return }
        setTemplate(
            ModelTemplate(
                entityName: entity.name ?? name, predicate: request.predicate.map { NSPredicate(format: $0) },
                sort: request.sort.map { ($0.keyPath, $0.isAscending) }), forName: request.name)
    }
}

extension NSEntityDescription {
    fileprivate func take(
        _ details: ModelDetails.EntityDetails, inheritedFetchedProperties: Set<String>, _ module: ClassNames
    ) {
        managedObjectClassName = module.name(details.className)
        userInfo = details.userInfo.isEmpty ? nil : details.userInfo.foundationValue
        compoundIndexNames = details.compoundIndexes
        for property in ownProperties {
            if let found = details.properties[property.name] { property.take(found) }
        }
        let fetched = details.fetchedProperties.filter { !inheritedFetchedProperties.contains($0.name) }
        if !fetched.isEmpty { properties = ownProperties + fetched.map { NSFetchedPropertyDescription($0) } }
        indexes = details.indexes.map { NSFetchIndexDescription($0) }
    }
}

extension NSPropertyDescription {
    fileprivate func take(_ details: ModelDetails.PropertyDetails) {
        hasIndexMark = details.isIndexed
        if !details.userInfo.isEmpty { userInfo = details.userInfo.foundationValue }
        if !details.validationPredicates.isEmpty {
            setRules(
                details.validationPredicates, details.validationWarnings.map { $0.foundationValue ?? NSNull() })
        }
        guard let attribute = self as? NSAttributeDescription else { return }
        if let number = details.typeNumber.flatMap({ UInt(exactly: $0) }),
            let type = NSAttributeType(rawValue: number)
        {
            attribute.attributeType = type
        }
        if details.valueClassName != attribute.attributeType.valueClassName {
            attribute.attributeValueClassName = details.valueClassName
        }
    }
}

extension NSFetchedPropertyDescription {
    fileprivate convenience init(_ details: ModelDetails.FetchedProperty) {
        self.init()
        name = details.name
        isOptional = details.isOptional
        if !details.userInfo.isEmpty { userInfo = details.userInfo.foundationValue }
        template = details.request.entityName.map { entityName in
            ModelTemplate(
                entityName: entityName, predicate: details.request.predicate.map { NSPredicate(format: $0) },
                sort: details.request.sort.map { ($0.keyPath, $0.isAscending) })
        }
    }
}

extension NSFetchIndexDescription {
    fileprivate convenience init(_ details: ModelDetails.Index) {
        let elements = details.elements.map { part in
            let element = NSFetchIndexElementDescription(
                propertyName: part.propertyName, collationType: part.isSpatial ? .rTree : .binary)
            element.isAscending = part.isAscending
            return element
        }
        self.init(name: details.name, elements: elements)
        partialIndexPredicate = details.partialPredicate.map { NSPredicate(format: $0) }
    }
}

extension PropertyList {
    /// The value in the form of a model's user info; `nil` for null.
    var foundationValue: Any? {
        switch self {
        case .null: nil
        case .boolean(let flag): flag
        case .integer(let number): Int(exactly: number) ?? number
        case .unsigned(let number), .uid(let number): number
        case .real(let number): number
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .data(let data): data
        case .string(let text): text
        case .array(let elements), .set(let elements): elements.compactMap(\.foundationValue)
        case .dictionary(let entries): entries.compactMapValues(\.foundationValue)
        }
    }
}

extension [String: PropertyList] {
    var foundationValue: [AnyHashable: Any] {
        Dictionary<AnyHashable, Any>(
            uniqueKeysWithValues: compactMap { key, value in value.foundationValue.map { (AnyHashable(key), $0) } })
    }
}
