/// The observers of one entity: which of them a change of an object may concern.
///
/// Observers whose predicate requires a value of a property are found by the object's present value: an edit of another
/// property of a member costs one of a thousand lists of the members of a thousand owners. If the property itself may
/// have changed, as in an insertion or a merge, each list is asked whether it holds the object.
struct LiveInterests {
    struct Interest {
        let observer: LiveResults
        let node: Int
        let mask: PropertyMask
    }

    private struct Key: Hashable {
        let observer: ObjectIdentifier
        let node: Int

        init(_ interest: Interest) { self.init(interest.observer, interest.node) }

        init(_ observer: LiveResults, _ node: Int) {
            self.observer = ObjectIdentifier(observer)
            self.node = node
        }
    }

    private typealias List = KeyedList<Key, Interest>

    /// Observers that require a value of one slot, by the value.
    private struct Requirement {
        let slot: Int
        var interests: [ValueKey: List] = [:]
        /// Of all that were added; it may be larger than needed.
        var mask = PropertyMask()

        mutating func remove(_ key: Key, requiring value: ValueKey) {
            interests[value]?.remove(key)
            if interests[value]?.isEmpty == true { interests[value] = nil }
        }
    }

    private var list = List()
    private var unconditional = List()
    /// Those whose observers hold no rows.
    private var summaries = List()
    private var requirements: [Requirement] = []

    var all: [Interest] { list.elements }
    var isEmpty: Bool { list.isEmpty }

    mutating func add(_ interest: Interest) {
        let key = Key(interest)
        list.set(interest, for: key)
        guard interest.observer.holdsRows else { return summaries.set(interest, for: key) }
        guard let (slot, value) = Self.required(by: interest.observer, interest.node) else {
            return unconditional.set(interest, for: key)
        }
        let place =
            requirements.firstIndex { $0.slot == slot }
            ?? {
                requirements.append(Requirement(slot: slot))
                return requirements.count - 1
            }()
        requirements[place].interests[value, default: List()].set(interest, for: key)
        requirements[place].mask.formUnion(interest.mask)
    }

    /// - Complexity: O(1), however many observers there are.
    mutating func remove(_ observer: LiveResults) {
        for node in observer.dependencies.nodes.indices {
            let key = Key(observer, node)
            guard list.contains(key) else { continue }
            list.remove(key)
            if summaries.contains(key) {
                summaries.remove(key)
                continue
            }
            guard let (slot, value) = Self.required(by: observer, node) else {
                unconditional.remove(key)
                continue
            }
            guard let place = requirements.firstIndex(where: { $0.slot == slot }) else { continue }
            requirements[place].remove(key, requiring: value)
            if requirements[place].interests.isEmpty { requirements.remove(at: place) }
        }
    }

    /// The value of a slot that the observer's predicate requires of the fetched object; `nil` if there is none.
    private static func required(by observer: LiveResults, _ node: Int) -> (slot: Int, value: ValueKey)? {
        guard node == 0, observer.dependencies.obstacle == nil else { return nil }
        let required = observer.query.query.predicate?.requiredValue(in: observer.model)
        return required.map { ($0.slot, ValueKey($0.value)) }
    }

    /// Whether a change of these properties concerns any observer that holds rows, so that the object must be read.
    func readsRows(_ mask: PropertyMask) -> Bool {
        unconditional.elements.contains { $0.mask.intersects(mask) }
            || requirements.contains { $0.mask.intersects(mask) }
    }

    /// Whether a change of these properties concerns any observer.
    func concerns(_ mask: PropertyMask) -> Bool {
        readsRows(mask) || summaries.elements.contains { $0.mask.intersects(mask) }
    }

    /// Passes the observers that a change of an object may concern.
    /// - Parameter record: The object, if it has been read.
    func forEach(_ id: ObjectID, _ mask: PropertyMask, _ record: Record?, _ body: (Interest) -> Void) {
        for interest in summaries.elements where interest.mask.intersects(mask) { body(interest) }
        for interest in unconditional.elements where interest.mask.intersects(mask) { body(interest) }
        for requirement in requirements where requirement.mask.intersects(mask) {
            let known = record.flatMap { $0.isFault ? nil : ValueKey($0.value(requirement.slot)) }
            let present = known.flatMap { requirement.interests[$0]?.elements } ?? []
            for interest in present where interest.mask.intersects(mask) { body(interest) }
            // With another value before, it may be held by others.
            guard mask.intersects(PropertyMask(slot: requirement.slot)) else { continue }
            for (value, interests) in requirement.interests where value != known {
                for interest in interests.elements where interest.observer.rows.number(of: id) != nil { body(interest) }
            }
        }
    }
}

extension QueryExpression {
    /// A value that a slot of the fetched object must have for the test to be true; `nil` if there is none.
    fileprivate func requiredValue(in model: Model) -> (slot: Int, value: Value)? {
        switch self {
        case .and(let parts): return parts.lazy.compactMap { $0.requiredValue(in: model) }.first
        case .compare(.equal, let left, .literal(let value)): return left.required(value, in: model)
        case .compare(.equal, .literal(let value), let right): return right.required(value, in: model)
        default: return nil
        }
    }

    /// References to rows that are gone are nil as well, so that nil is not required of the slot.
    private func required(_ value: Value, in model: Model) -> (slot: Int, value: Value)? {
        value.isNil ? nil : ownSlot(in: model).map { ($0, value) }
    }

    /// The slot of the fetched object that this is the value of.
    private func ownSlot(in model: Model) -> Int? {
        switch self {
        case .attribute(.variable(.root), let attribute): return attribute.slot
        case .identity(let object): return object.ownSlot(in: model)
        case .toOne(.variable(.root), let reference):
            guard let entity = model.entity(at: reference.entityIndex),
                entity.relationships.indices.contains(reference.index)
            else { return nil }
            return entity.relationships[reference.index].slot
        default: return nil
        }
    }
}
