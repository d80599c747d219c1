import ObjectGraph
import Observation
import Synchronization

/// Observation of one model. Made when somebody first reads a property of the model inside an observation scope; until
/// then a model costs nothing for being observable.
///
/// Who observes holds the key paths read. Those that the registrar is given lead through this observer, and hold a mark of
/// its own beside the property's key path; so it can tell whether anybody still waits for a change.
final class ModelObserver: RecordObserver, Observable {
    private let registrar = ObservationRegistrar()
    private var mark = Mark()

    fileprivate final class Mark {}

    /// A property of the model, as observers hold it.
    struct Observed: Hashable {
        let property: AnyKeyPath
        private let mark: Mark

        fileprivate init(_ property: AnyKeyPath, _ mark: Mark) {
            self.property = property
            self.mark = mark
        }

        static func == (lhs: Observed, rhs: Observed) -> Bool { lhs.property == rhs.property }
        func hash(into hasher: inout Hasher) { hasher.combine(property) }
    }

    subscript(observed: Observed) -> Int { 0 }

    private func keyPath(to property: AnyKeyPath) -> KeyPath<ModelObserver, Int> { \.[Observed(property, mark)] }

    var isAwaited: Bool { !isKnownUniquelyReferenced(&mark) }

    func access(_ property: AnyKeyPath) { registrar.access(self, keyPath: keyPath(to: property)) }
    func willSet(_ property: AnyKeyPath) { registrar.willSet(self, keyPath: keyPath(to: property)) }
    func didSet(_ property: AnyKeyPath) { registrar.didSet(self, keyPath: keyPath(to: property)) }

    func withMutation<Result>(of property: AnyKeyPath, _ mutation: () throws -> Result) rethrows -> Result {
        try registrar.withMutation(of: self, keyPath: keyPath(to: property), mutation)
    }

    func willChange(_ record: Record, relationship: EntityRelationship?) {
        for property in ObservedProperty.all(of: record, relationship) { willSet(property.keyPath) }
    }

    func didChange(_ record: Record, relationship: EntityRelationship?) {
        for property in ObservedProperty.all(of: record, relationship) { didSet(property.keyPath) }
    }
}

extension Record {
    var modelObserver: ModelObserver? {
        guard let observer else { return nil }
        return unsafeDowncast(observer, to: ModelObserver.self)
    }
}

extension _ModelStorage {
    public func withMutation<M: PersistentModel, V, Result>(
        _ model: M, _ keyPath: @autoclosure () -> KeyPath<M, V>, _ mutation: () throws -> Result
    ) rethrows -> Result {
        guard let observer = record.modelObserver else { return try mutation() }
        return try observer.withMutation(of: keyPath(), mutation)
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
    static var isActive: Bool { probe._withUnsafeGuaranteedRef { $0.isHashed } }

    /// Never let go of; so asking need not count references.
    private static let probe = Unmanaged.passRetained(ObservationProbe())
}

/// One object with all that asking takes, as every read of a property asks.
private final class ObservationProbe: Observable, @unchecked Sendable {  // Constants; key paths lack the annotation.
    private let registrar = ObservationRegistrar()
    private let hashCount: HashCount
    private let keyPath: KeyPath<ObservationProbe, Int>

    init() {
        hashCount = HashCount()
        keyPath = \ObservationProbe[Key(count: hashCount)]
    }

    /// Whether the registrar hashes the key path now.
    var isHashed: Bool {
        let before = hashCount.value.load(ordering: .relaxed)
        registrar.access(self, keyPath: keyPath)
        return hashCount.value.load(ordering: .relaxed) != before
    }

    subscript(key: Key) -> Int { 0 }

    final class HashCount: Sendable {
        let value = Atomic<Int>(0)
    }

    struct Key: Hashable {
        let count: HashCount

        static func == (lhs: Key, rhs: Key) -> Bool { lhs.count === rhs.count }

        func hash(into hasher: inout Hasher) {
            count.value.wrappingAdd(1, ordering: .relaxed)
        }
    }
}
