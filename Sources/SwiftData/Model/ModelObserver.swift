import ObjectGraph
import Observation
import Synchronization

/// Observation of one model. Made when somebody first reads a property of the model inside an observation scope; until
/// then a model costs nothing for being observable.
final class ModelObserver: RecordObserver {
    let registrar = ObservationRegistrar()

    func willChange(_ record: Record, relationship: EntityRelationship?) {
        tell(.will, of: record, relationship)
    }

    func didChange(_ record: Record, relationship: EntityRelationship?) {
        tell(.did, of: record, relationship)
    }

    private func tell(_ moment: PropertyNotifier.Moment, of record: Record, _ relationship: EntityRelationship?) {
        guard let model = record.object as? any PersistentModel else { return }
        for notifier in PropertyNotifier.all(of: type(of: model))
        where relationship == nil || notifier.name == relationship?.name {
            notifier.tell(moment, of: model, to: registrar)
        }
    }
}

extension Record {
    var modelObserver: ModelObserver? {
        guard let observer else { return nil }
        return unsafeDowncast(observer, to: ModelObserver.self)
    }
}

extension _ModelStorage {
    /// Notes that a property is read, if anybody watches.
    public func access<M: PersistentModel, V>(_ model: M, _ keyPath: @autoclosure () -> KeyPath<M, V>) {
        if let observer = record.modelObserver {
            observer.registrar.access(model, keyPath: keyPath())
        } else if ObservationScope.isActive {
            let observer = ModelObserver()
            record.observer = observer
            observer.registrar.access(model, keyPath: keyPath())
        }
    }

    public func withMutation<M: PersistentModel, V, Result>(
        _ model: M, _ keyPath: @autoclosure () -> KeyPath<M, V>, _ mutation: () throws -> Result
    ) rethrows -> Result {
        guard let observer = record.modelObserver else { return try mutation() }
        return try observer.registrar.withMutation(of: model, keyPath: keyPath(), mutation)
    }
}

extension _ModelStorage {
    /// Whether the property's `willSet` and `didSet` are to run: not before the object is complete, and not for a set
    /// from within themselves.
    public func beginObserving(_ slot: _ModelSlot) -> Bool {
        record.isObjectComplete
            && observedSets.withLock {
                $0.insert(ObservedSet(record: ObjectIdentifier(record), slot: slot.first)).inserted
            }
    }

    public func endObserving(_ slot: _ModelSlot) {
        observedSets.withLock { _ = $0.remove(ObservedSet(record: ObjectIdentifier(record), slot: slot.first)) }
    }
}

/// A property whose `willSet` or `didSet` is running.
private struct ObservedSet: Hashable {
    let record: ObjectIdentifier
    let slot: Int
}

private let observedSets = Locked<Set<ObservedSet>>([])

/// Tells whether the current thread is inside `withObservationTracking`.
///
/// The standard library does not say, but a registrar asked inside a scope notes the key path in a set, and so hashes it;
/// outside it returns at once. A key path with a subscript argument of ours tells us when it is hashed. A hash on
/// another thread at the same time makes the answer "yes" once too often, which only costs a registrar.
enum ObservationScope {
    static var isActive: Bool {
        let before = probeHashes.load(ordering: .relaxed)
        probeRegistrar.access(probeSubject, keyPath: probeKeyPath)
        return probeHashes.load(ordering: .relaxed) != before
    }
}

private let probeRegistrar = ObservationRegistrar()
private let probeSubject = ProbeSubject()
// An immutable object, which lacks the annotation.
private nonisolated(unsafe) let probeKeyPath: KeyPath<ProbeSubject, Int> = \ProbeSubject[ProbeKey()]
private let probeHashes = Atomic<Int>(0)

private final class ProbeSubject: Observable, Sendable {
    subscript(key: ProbeKey) -> Int { 0 }
}

private struct ProbeKey: Hashable {
    static func == (lhs: ProbeKey, rhs: ProbeKey) -> Bool { true }

    func hash(into hasher: inout Hasher) {
        probeHashes.wrappingAdd(1, ordering: .relaxed)
    }
}
