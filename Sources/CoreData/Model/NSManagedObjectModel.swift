import Foundation
import ObjectGraph

/// The entities a store is opened with, in any number of configurations.
///
/// A model can be changed until a coordinator uses it. From then on it, and everything it is made of, stays as it is; a
/// copy can be changed.
nonisolated open class NSManagedObjectModel: NSObject, NSCopying, ModelPart {
    /// Guards the moment of freezing: two coordinators may begin to use a model at once.
    private let freezing = NSLock()
    final private(set) var isFrozen = false
    private var use: ModelUse?
    private var storedEntities: [NSEntityDescription] = []
    /// Entity names by configuration.
    final var configurationNames: [String: [String]] = [:]
    /// Requests by name.
    final var templates: [String: ModelTemplate] = [:]

    /// The texts to show for names and errors, by key.
    open var localizationDictionary: [String: String]? {
        didSet { if refuses("localizationDictionary") { localizationDictionary = oldValue } }
    }

    /// Labels of this version, for people; merging models unites them.
    open var versionIdentifiers: Set<AnyHashable> = [] {
        didSet { if refuses("versionIdentifiers") { versionIdentifiers = oldValue } }
    }

    /// A model without entities.
    public override init() {
        super.init()
    }

    // MARK: Entities

    /// Entities of a model in use cannot be given to another one; copies can.
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

    open var entitiesByName: [String: NSEntityDescription] {
        use?.entitiesByName ?? ModelUse.byName(storedEntities)
    }

    package func entity(named name: String) -> NSEntityDescription? {
        use.map { $0.entitiesByName[name] } ?? storedEntities.first { $0.name == name }
    }

    // MARK: Configurations

    /// Names of the configurations that were set, in order.
    open var configurations: [String] { configurationNames.keys.sorted() }

    /// - Returns: all entities without a name, `nil` for a name that is no configuration's.
    open func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let configuration else { return storedEntities }
        return configurationNames[configuration]?.compactMap { entity(named: $0) }
    }

    /// Entities that are not in the model are left out.
    open func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        guard !refuses("configurations") else { return }
        configurationNames[configuration] = entities.filter { $0.model === self }.compactMap(\.name)
    }

    final func setTemplate(_ template: ModelTemplate?, forName name: String) {
        if !refuses("fetchRequestTemplates") { templates[name] = template }
    }

    // MARK: Use

    /// The engine's model, made once. From here on the model cannot be changed.
    /// - Throws: `ManagedObjectModelError`, when the model has a fault; it can be changed then.
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

    /// What is known of a model in use; `nil` before.
    final var currentUse: ModelUse? { use }

    /// The description of an entity of the engine's model; `nil` before the model is in use.
    package func entityDescription(at engineIndex: Int) -> NSEntityDescription? {
        guard let use, use.entitiesByIndex.indices.contains(engineIndex) else { return nil }
        return use.entitiesByIndex[engineIndex]
    }

    // MARK: Copies

    /// A model with copies of everything, which may be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSManagedObjectModel()
        copy.entities = EntityCopies(of: storedEntities).entities
        copy.configurationNames = configurationNames
        copy.localizationDictionary = localizationDictionary
        copy.versionIdentifiers = versionIdentifiers
        copy.templates = templates
        return copy
    }

    /// Models with the same content are equal; a copy equals its original.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectModel else { return false }
        return other === self || hasContent(of: other)
    }

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

    open override var description: String {
        "<\(type(of: self)): \(storedEntities.compactMap(\.name).sorted().joined(separator: ", "))>"
    }
}

/// Enumerates the entities.
extension NSManagedObjectModel: Sequence {
    public func makeIterator() -> IndexingIterator<[NSEntityDescription]> {
        entities.makeIterator()
    }
}

/// What a model in use is asked for all the time, made once.
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
