import ObjectGraph

extension BehaviourDigest {
    /// Errors as facts: reason, entity, property and objects. One error after the other; the facts of one error are sorted.
    package mutating func add(_ heading: String, refusals: [any Error]) {
        add(heading, refusals.enumerated().flatMap { place, error in Self.facts(error).map { "\(place): \($0)" } })
    }

    private static func facts(_ error: any Error) -> [String] {
        switch error {
        case let error as ValidationError: facts(error).sorted()
        case DeleteError.refused(let refusals): refusals.map(fact).sorted()
        case let error as DeleteError: ["\(error)"]
        default: ["\(type(of: error))"]
        }
    }

    private static func facts(_ error: ValidationError) -> [String] {
        switch error {
        case .missingValue(let id, let property): ["missing \(property) of \(id)"]
        case .unwritableValue(let id, let property): ["unwritable \(property) of \(id)"]
        case .tooFew(let id, let relationship, let count, let minimum):
            ["\(count) in \(relationship) of \(id), at least \(minimum)"]
        case .tooMany(let id, let relationship, let count, let maximum):
            ["\(count) in \(relationship) of \(id), at most \(maximum)"]
        case .deniedDelete(let id, let relationship, let count, let blockers):
            ["\(relationship) of \(id) denies for \(count)\(names(blockers, of: count))"]
        case .several(let errors): errors.flatMap(facts)
        }
    }

    private static func fact(_ refusal: DeleteRefusal) -> String {
        let names = names(refusal.examples, of: refusal.count)
        return switch refusal.reason {
        case .denied: "\(refusal.relationship) denies for \(refusal.count)\(names)"
        case .mandatory(let inverse, let shape):
            "\(refusal.relationship) would empty \(inverse) (\(shape)) of \(refusal.count)\(names)"
        case .tooFew(let inverse, let minimum):
            "\(refusal.relationship) would leave less than \(minimum) in \(inverse) of \(refusal.count)\(names)"
        }
    }

    /// With many objects, the named ones vary.
    private static func names(_ examples: [ObjectID], of count: Int) -> String {
        examples.count < count ? "" : ": \(examples.map(\.uriText).sorted().joined(separator: ", "))"
    }
}
