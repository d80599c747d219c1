import ObjectGraph
import Observation
import Synchronization

/// Observation of one model. Created when a property of the model is first read inside an observation scope; until then,
/// observability costs nothing.
///
/// Observers retain the key paths that were read. Those given to the registrar pass through this observer, and contain a
/// mark of its own beside the property's key path; its reference count shows whether any observer still waits for a
/// change.
final class ModelObserver: RecordObserver, Observable {
    private let registrar = ObservationRegistrar()
    private var mark = Mark()

    fileprivate final class Mark {}

    /// A property of the model as observers retain it.
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
    /// Runs a mutation of a property between the notifications of its observers. For generated code.
    /// - Parameters:
    ///   - model: The model.
    ///   - keyPath: The property.
    ///   - mutation: The mutation.
    /// - Throws: The error of the mutation.
    public func withMutation<M: PersistentModel, V, Result>(
        _ model: M, _ keyPath: @autoclosure () -> KeyPath<M, V>, _ mutation: () throws -> Result
    ) rethrows -> Result {
        guard let observer = record.modelObserver else { return try mutation() }
        return try observer.withMutation(of: keyPath(), mutation)
    }
}

extension _ModelStorage {
    /// Returns whether the property's `willSet` and `didSet` are to run: not before the object is complete, and not for an
    /// assignment within themselves. For generated code.
    /// - Parameter slot: The property.
    public func beginObserving(_ slot: _ModelSlot) -> Bool {
        record.isObjectComplete
            && observedSets.withLock {
                $0.insert(ObservedSet(record: ObjectIdentifier(record), slot: slot.first)).inserted
            }
    }

    /// Ends the running of a property's `willSet` and `didSet`. For generated code.
    /// - Parameter slot: The property.
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

/// Returns whether the current thread is inside `withObservationTracking`.
///
/// The standard library does not expose this. But a registrar accessed inside a scope adds the key path to a set, and so
/// hashes it; outside a scope it returns at once. A key path with a subscript argument of this file's type counts its
/// hashes. A hash on another thread at the same time makes the answer "yes" once too often, which only creates an unneeded
/// registrar.
enum ObservationScope {
    static var isActive: Bool { probe._withUnsafeGuaranteedRef { $0.isHashed } }

    /// Never released, so its use does not count references.
    private static let probe = Unmanaged.passRetained(ObservationProbe())
}

/// One object with everything that the test uses, as every read of a property performs it.
private final class ObservationProbe: Observable, @unchecked Sendable {  // Constants; key paths lack the annotation.
    private let registrar = ObservationRegistrar()
    private let hashCount: HashCount
    private let keyPath: KeyPath<ObservationProbe, Int>

    init() {
        hashCount = HashCount()
        keyPath = \ObservationProbe[Key(count: hashCount)]
    }

    /// Whether the registrar hashes the key path at this time.
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
