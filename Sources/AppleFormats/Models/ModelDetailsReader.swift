import ObjectGraph

/// Reads the parts of an archived model that `ModelUnarchiver` ignores. Never fails: unknown content is left out.
struct ModelDetailsReader {
    let model: Model
    private let budget: TextBudget
    private let notes: ArchivedNotes

    init(model: Model) {
        self.model = model
        budget = TextBudget()
        notes = ArchivedNotes(budget)
    }

    func details(of archived: ArchivedObject) -> ModelDetails {
        var details = ModelDetails()
        for object in archived.entries("NSEntities").compactMap({ archived.archive.object($0.value) }) {
            guard let name = object.string("NSEntityName"), let entity = model.entity(named: name) else { continue }
            details.entities[name] = self.details(of: object, entity)
        }
        for (key, value) in archived.entries("NSConfigurations") {
            guard let name = archived.archive.string(key) else { continue }
            let members = (archived.archive.elements(value) ?? []).compactMap { member in
                archived.archive.string(member) ?? archived.archive.object(member)?.string("NSEntityName")
            }
            details.configurations[name] = members.sorted()
        }
        for (key, value) in archived.entries("NSFetchRequestTemplates") {
            guard let name = archived.archive.string(key), let request = archived.archive.object(value) else {
                continue
            }
            details.fetchRequests.append(fetchRequest(request, named: name))
        }
        details.fetchRequests.sort { $0.name < $1.name }
        return details
    }

    // MARK: Entities

    private func details(of object: ArchivedObject, _ entity: Entity) -> ModelDetails.EntityDetails {
        var details = ModelDetails.EntityDetails()
        details.className = object.string("NSClassNameForEntity")
        details.userInfo = notes.userInfo(of: object)
        details.compoundIndexes = (object.elements("NSCompoundIndexes") ?? []).map { list in
            (object.archive.elements(list) ?? []).compactMap { name(of: $0, in: object.archive) }
        }
        details.indexes = object.objects("NSFetchIndexDescriptions").compactMap(index)
        for (key, value) in object.entries("NSProperties") {
            guard let name = object.archive.string(key), let property = object.archive.object(value) else { continue }
            if property.className == "NSFetchedPropertyDescription" {
                guard property.object("NSEntity")?.string("NSEntityName") ?? entity.name == entity.name else {
                    continue
                }
                details.fetchedProperties.append(fetchedProperty(property, named: name))
            } else if isDeclared(name, by: entity) {
                details.properties[name] = self.details(of: property)
            }
        }
        details.fetchedProperties.sort { $0.name.precedesByBytes($1.name) }
        return details
    }

    private func isDeclared(_ property: String, by entity: Entity) -> Bool {
        let declaring =
            entity.attribute(named: property)?.declaringIndex
            ?? entity.relationship(named: property)?.declaringIndex
        return declaring == entity.index
    }

    /// Returns the name of a list element, which is a name or the property itself.
    private func name(of element: PropertyList, in archive: KeyedArchive) -> String? {
        archive.string(element) ?? archive.object(element)?.string("NSPropertyName")
    }

    private func details(of property: ArchivedObject) -> ModelDetails.PropertyDetails {
        var details = ModelDetails.PropertyDetails()
        details.typeNumber = property.integer("NSAttributeType")
        details.valueClassName = property.string("NSAttributeValueClassName")
        details.userInfo = notes.userInfo(of: property)
        details.isIndexed = property.flag("NSIsIndexed")
        details.validationPredicates = property.objects("NSValidationPredicates").map {
            PredicateText.text(of: $0, budget)
        }
        details.validationWarnings = (property.elements("NSValidationWarnings") ?? []).map {
            notes.plain($0, property.archive)
        }
        return details
    }

    private func fetchedProperty(_ property: ArchivedObject, named name: String) -> ModelDetails.FetchedProperty {
        var request = ModelDetails.FetchRequest(name: name)
        if let archived = property.object("NSFetchRequest") { request = fetchRequest(archived, named: name) }
        request.entityName = request.entityName ?? property.string("_NSFetchRequestEntityName")
        return ModelDetails.FetchedProperty(
            name: name, isOptional: property.flag("NSIsOptional"), userInfo: notes.userInfo(of: property),
            request: request)
    }

    // MARK: Indexes and requests

    private func index(_ index: ArchivedObject) -> ModelDetails.Index? {
        guard let name = index.string("NSIndexName") else { return nil }
        let elements = index.objects("NSIndexElements").compactMap { element in
            element.string("NSPropertyName").map {
                ModelDetails.Index.Element(
                    propertyName: $0, isSpatial: element.integer("NSFetchIndexElementType") == 1,
                    isAscending: element.flag("NSAscending"))
            }
        }
        let predicate = index.object("NSPartialIndexPredicate").map { PredicateText.text(of: $0, budget) }
        return ModelDetails.Index(name: name, elements: elements, partialPredicate: predicate)
    }

    private func fetchRequest(_ request: ArchivedObject, named name: String) -> ModelDetails.FetchRequest {
        var details = ModelDetails.FetchRequest(name: name)
        details.entityName =
            request.object("NSEntity")?.string("NSEntityName") ?? request.string("NSEntityName")
        details.predicate = request.object("NSPredicate").map { PredicateText.text(of: $0, budget) }
        details.sort = request.objects("NSSortDescriptors").compactMap { descriptor in
            descriptor.string("NSKey").map {
                ModelDetails.FetchRequest.SortKey(keyPath: $0, isAscending: descriptor.flag("NSAscending"))
            }
        }
        return details
    }
}
