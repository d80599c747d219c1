import ObjectGraph

/// What contexts need of their container. Apart from it, so that a container and its main context do not keep each other
/// alive.
final class ContainerCore: Sendable {
    let schema: Schema
    let migrationPlan: (any SchemaMigrationPlan.Type)?
    /// One per store.
    let configurations: Set<ModelConfiguration>
    /// One store, or a set of them.
    let store: any Store
    let contexts = ContextRegistry()
    /// Model classes, in the order of the model's entities.
    let modelTypes: [ModelType?]
    /// Whether any class has `let` properties to look after.
    let hasConstants: Bool

    /// - Throws: As `ModelContainer.init(for:migrationPlan:configurations:)`.
    init(
        schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?, configurations: [ModelConfiguration]
    ) throws {
        self.schema = schema
        self.migrationPlan = migrationPlan
        let checked = try ContainerConfiguration.checked(configurations, for: schema)
        self.configurations = Set(checked)
        do {
            let model = try schema.compiled()
            let warnings = try ContainerWarnings(model, schema)
            store = try ContainerConfiguration.openStore(checked, model: model)
            warnings.log(with: store.openingWarnings)
            let typesByName = schema.modelTypesByName
            modelTypes = store.model.entities.map { typesByName[$0.name].map(ModelType.of) }
            hasConstants = modelTypes.contains { $0?.constants.isEmpty == false }
        } catch {
            throw ErrorMapping.opening(error)
        }
    }

    func modelType(named name: String) -> ModelType? {
        store.model.entity(named: name).flatMap { modelTypes[$0.index] }
    }
}
