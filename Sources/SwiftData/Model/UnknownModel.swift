import Observation

/// The result for an identifier from elsewhere whose class is not in the container's schema: a model without properties and
/// without a context.
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
