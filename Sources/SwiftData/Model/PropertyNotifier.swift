import ObjectGraph
import Observation

/// Tells a registrar of a change of one property known only at run time.
struct PropertyNotifier: @unchecked Sendable {  // A name and an immutable key path, which lacks the annotation.
    let name: String
    private let keyPath: AnyKeyPath

    enum Moment {
        case will
        case did
    }

    func tell(_ moment: Moment, of model: any PersistentModel, to registrar: ObservationRegistrar) {
        // The key path is rooted in the class that declares the property.
        guard let owner = type(of: keyPath).rootType as? any PersistentModel.Type else { return }
        open(owner, moment, model, registrar)
    }

    private func open<Owner: PersistentModel>(
        _ owner: Owner.Type, _ moment: Moment, _ model: any PersistentModel, _ registrar: ObservationRegistrar
    ) {
        func typed<V>(_ type: V.Type) {
            guard let keyPath = keyPath as? KeyPath<Owner, V>, let model = model as? Owner else { return }
            switch moment {
            case .will: registrar.willSet(model, keyPath: keyPath)
            case .did: registrar.didSet(model, keyPath: keyPath)
            }
        }
        _openExistential(type(of: keyPath).valueType, do: typed)
    }

    private static let known = Locked<[ObjectIdentifier: [PropertyNotifier]]>([:])

    static func all(of type: any PersistentModel.Type) -> [PropertyNotifier] {
        known.withLock { table in
            if let found = table[ObjectIdentifier(type)] { return found }
            let made = ModelType.of(type).allProperties.map { PropertyNotifier(name: $0.name, keyPath: $0.keyPath) }
            table[ObjectIdentifier(type)] = made
            return made
        }
    }
}
