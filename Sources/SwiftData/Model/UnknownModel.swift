import Observation

/// Stands in for a model whose class is not in the container's schema, asked for by an identifier from elsewhere: it has
/// no properties and no context.
final class UnknownModel: PersistentModel {
    private var storage = _ModelStorage(for: UnknownModel.modelClass)
    private static let modelClass = _ModelClass(UnknownModel.self)

    static var schemaMetadata: [Schema.PropertyMetadata] { [] }
    var _$modelStorage: _ModelStorage { storage }

    var persistentBackingData: any BackingData<UnknownModel> {
        get { storage.backingData(for: UnknownModel.self) }
        set { storage = _ModelStorage(newValue) }
    }

    init(backingData: any BackingData<UnknownModel>) {
        storage = _ModelStorage(backingData)
    }
}
