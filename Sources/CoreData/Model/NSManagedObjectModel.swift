import Foundation
import ObjectGraph

/// A model: the entities that a store is opened with, in any number of configurations.
///
/// A model can be changed until a coordinator uses it. From then on the model and all its parts are constant: changes are
/// ignored and logged. A copy can be changed.
nonisolated open class NSManagedObjectModel: NSObject, NSCopying, ModelPart {
    /// Guards freezing: two coordinators may begin to use a model at the same time.
    private let freezing = NSLock()
    final private(set) var isFrozen = false
    private var use: ModelUse?
    private var storedEntities: [NSEntityDescription] = []
    /// Entity names by configuration.
    final var configurationNames: [String: [String]] = [:]
    /// Requests by name.
    final var templates: [String: ModelTemplate] = [:]

    /// Translations of names and error texts for users, by key.
    open var localizationDictionary: [String: String]? {
        didSet { if refuses("localizationDictionary") { localizationDictionary = oldValue } }
    }

    /// Labels of this version of the model, for people; merging models unites them.
    open var versionIdentifiers: Set<AnyHashable> = [] {
        didSet { if refuses("versionIdentifiers") { versionIdentifiers = oldValue } }
    }

    /// Creates a model without entities.
    public override init() {
        super.init()
    }

    // MARK: Entities

    /// The entities. Entities of a model in use cannot be added to another model; copies can.
    open var entities: [NSEntityDescription] {
        get { storedEntities }
        set {
            guard !refuses("entities") else { return }
            if let taken = newValue.first(where: { $0.isFrozen }) {
                CoreDataLog.logger.error("\(taken.partName) belongs to a model in use; give this model a copy of it.")
                return
            }
            for entity in storedEntities where entity.model === self { entity.model = nil }
            storedEntities = newValue
            for entity in newValue { entity.model = self }
        }
    }

    /// The entities by name.
    open var entitiesByName: [String: NSEntityDescription] {
        use?.entitiesByName ?? ModelUse.byName(storedEntities)
    }

    package func entity(named name: String) -> NSEntityDescription? {
        use.map { $0.entitiesByName[name] } ?? storedEntities.first { $0.name == name }
    }

    // MARK: Configurations

    /// The names of the configurations that were set, sorted.
    open var configurations: [String] { configurationNames.keys.sorted() }

    /// Returns the entities of a configuration.
    /// - Parameter configuration: the name of the configuration; `nil` for all entities.
    /// - Returns: `nil` if there is no such configuration.
    open func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let configuration else { return storedEntities }
        return configurationNames[configuration]?.compactMap { entity(named: $0) }
    }

    /// Sets the entities of a configuration. Entities that are not in the model are left out.
    /// - Parameters:
    ///   - entities: the entities.
    ///   - configuration: the name of the configuration.
    open func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        guard !refuses("configurations") else { return }
        configurationNames[configuration] = entities.filter { $0.model === self }.compactMap(\.name)
    }

    final func setTemplate(_ template: ModelTemplate?, forName name: String) {
        if !refuses("fetchRequestTemplates") { templates[name] = template }
    }

    // MARK: Use

    /// The engine's model, made once. From here on the model cannot be changed.
    /// - Throws: `ManagedObjectModelError` if the model is not valid; it can still be changed then.
    package func freeze() throws -> Model {
        freezing.lock()
        defer { freezing.unlock() }
        if let use { return use.model }
        let made = ModelUse(model: try compiled(), entities: storedEntities)
        for entity in storedEntities {
            entity.engineIndex = entity.name.flatMap { made.model.entity(named: $0)?.index }
            entity.freeze()
        }
        use = made
        isFrozen = true
        return made.model
    }

    /// The compiled state of a model in use; `nil` before.
    final var currentUse: ModelUse? { use }

    /// The description of an entity of the engine's model; `nil` before the model is in use.
    package func entityDescription(at engineIndex: Int) -> NSEntityDescription? {
        guard let use, use.entitiesByIndex.indices.contains(engineIndex) else { return nil }
        return use.entitiesByIndex[engineIndex]
    }

    // MARK: Copies

    /// Returns a model with copies of all parts, which can be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSManagedObjectModel()
        copy.entities = EntityCopies(of: storedEntities).entities
        copy.configurationNames = configurationNames
        copy.localizationDictionary = localizationDictionary
        copy.versionIdentifiers = versionIdentifiers
        copy.templates = templates
        return copy
    }

    /// Returns whether another model has the same contents; a copy equals its original.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectModel else { return false }
        return other === self || hasContent(of: other)
    }

    /// A hash of the names of the entities.
    open override var hash: Int { Set(storedEntities.map(\.name)).hashValue }

    private func hasContent(of other: NSManagedObjectModel) -> Bool {
        storedEntities.count == other.storedEntities.count && entitiesByName == other.entitiesByName
            && configurationNames.mapValues(Set.init) == other.configurationNames.mapValues(Set.init)
            && localizationDictionary == other.localizationDictionary
            && versionIdentifiers == other.versionIdentifiers
            && Set(templates.keys) == Set(other.templates.keys)
            && templates.allSatisfy { name, template in
                ModelContent.isSame(template.request(in: nil), other.templates[name]?.request(in: nil))
            }
    }

    final var partName: String { "The model" }

    /// A text with the names of the entities.
    open override var description: String {
        "<\(type(of: self)): \(storedEntities.compactMap(\.name).sorted().joined(separator: ", "))>"
    }
}

/// Enumerates the entities.
extension NSManagedObjectModel: Sequence {
    /// Returns an iterator over the entities.
    public func makeIterator() -> IndexingIterator<[NSEntityDescription]> {
        entities.makeIterator()
    }
}

/// The frequently used parts of a model in use, made once.
struct ModelUse {
    let model: Model
    let versionHashes: [String: VersionHash]
    let entitiesByName: [String: NSEntityDescription]
    let entitiesByIndex: [NSEntityDescription]

    init(model: Model, entities: [NSEntityDescription]) {
        self.model = model
        versionHashes = model.versionHashes
        let byName = Self.byName(entities)
        entitiesByName = byName
        entitiesByIndex = model.entities.compactMap { byName[$0.name] }
    }

    static func byName(_ entities: [NSEntityDescription]) -> [String: NSEntityDescription] {
        Dictionary(entities.compactMap { entity in entity.name.map { ($0, entity) } }) { first, _ in first }
    }
}
