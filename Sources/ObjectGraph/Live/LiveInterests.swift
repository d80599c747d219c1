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

    /// Observers that require a value of one slot, by the value.
    private struct Requirement {
        let slot: Int
        var interests: [ValueKey: [Interest]] = [:]
        /// Of all that were added; it may be larger than needed.
        var mask = PropertyMask()

        mutating func remove(_ observer: LiveResults) {
            for (value, known) in interests {
                let rest = known.filter { $0.observer !== observer }
                if rest.count < known.count { interests[value] = rest.isEmpty ? nil : rest }
            }
        }
    }

    private(set) var all: [Interest] = []
    private var unconditional: [Interest] = []
    private var requirements: [Requirement] = []

    var isEmpty: Bool { all.isEmpty }

    mutating func add(_ interest: Interest) {
        all.append(interest)
        guard interest.node == 0, interest.observer.dependencies.obstacle == nil,
            let (slot, value) = interest.observer.query.query.predicate?.requiredValue(in: interest.observer.model)
        else { return unconditional.append(interest) }
        let place =
            requirements.firstIndex { $0.slot == slot }
            ?? {
                requirements.append(Requirement(slot: slot))
                return requirements.count - 1
            }()
        requirements[place].interests[ValueKey(value), default: []].append(interest)
        requirements[place].mask.formUnion(interest.mask)
    }

    mutating func remove(_ observer: LiveResults) {
        guard all.contains(where: { $0.observer === observer }) else { return }
        all.removeAll { $0.observer === observer }
        unconditional.removeAll { $0.observer === observer }
        for place in requirements.indices { requirements[place].remove(observer) }
        requirements.removeAll { $0.interests.isEmpty }
    }

    /// Whether a change of these properties concerns any observer.
    func concerns(_ mask: PropertyMask) -> Bool {
        unconditional.contains { $0.mask.intersects(mask) } || requirements.contains { $0.mask.intersects(mask) }
    }

    /// Passes the observers that a change of an object may concern.
    /// - Parameter record: The object, if it has been read.
    func forEach(_ id: ObjectID, _ mask: PropertyMask, _ record: Record?, _ body: (Interest) -> Void) {
        for interest in unconditional where interest.mask.intersects(mask) { body(interest) }
        for requirement in requirements where requirement.mask.intersects(mask) {
            let known = record.flatMap { $0.isFault ? nil : ValueKey($0.value(requirement.slot)) }
            let present = known.flatMap { requirement.interests[$0] } ?? []
            for interest in present where interest.mask.intersects(mask) { body(interest) }
            // With another value before, it may be held by others.
            guard mask.intersects(PropertyMask(slot: requirement.slot)) else { continue }
            for (value, interests) in requirement.interests where value != known {
                for interest in interests where interest.observer.rows.number(of: id) != nil { body(interest) }
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
