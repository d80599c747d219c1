import Foundation
import ObjectGraph
import PredicateFormat

/// Validation of values and relationships by the rules of the model.
extension NSManagedObject {
    /// Validates all properties with `validateValue(_:forKey:)`, so that overrides are called.
    final func validateProperties() throws {
        var errors: [any Error] = refusedValues.sorted { $0.key < $1.key }.map { key, text in
            CocoaError.validation(.managedObjectValidation, self, key, text: text)
        }
        // A plain managed object has no validators of its own.
        let isPlain = type(of: self) == NSManagedObject.self
        for (name, place, predicates, _) in table.properties where refusedValues[name] == nil && isToBeValidated(place)
        {
            if isPlain, predicates.isEmpty, isCertainlyValid(place) { continue }
            let before = isPlain ? valueToValidate(place) : currentValue(place)
            var value = before
            do {
                try validateValue(&value, forKey: name)
                if !Self.areSame(before, value) { setValue(value, forKey: name) }
            } catch {
                errors.append(error)
            }
        }
        if let error = CocoaError.combining(errors) { throw error }
    }

    /// Members of an unchanged relationship are not read for validation; derived values are not set by the program.
    private func isToBeValidated(_ place: PropertyPlace) -> Bool {
        switch place {
        case .attribute(let place): !place.attribute.attribute.isDerived
        case .toOne: true
        case .toMany(let relationship): record.isInserted || record.isEdited(relationship)
        case .fetched: false
        }
    }

    /// Whether a property needs no further checks: a plain attribute that is optional or has a value, or a relationship with an
    /// allowed number of members.
    private func isCertainlyValid(_ place: PropertyPlace) -> Bool {
        switch place {
        case .attribute(let place):
            place.isPlain && (place.description.isOptional || !record.value(place.slot).isNull)
        case .toMany(let relationship):
            !relationship.relationship.limitsCount
                || relationship.relationship.fault(ofCount: memberCount(relationship)) == nil
        case .toOne, .fetched: false
        }
    }

    /// For the model's own rules, members become objects only when a rule reads them, because an owner of many members may be
    /// saved each time it gets another one. An ordered set must be complete, because Foundation reads its storage; so must a
    /// set that is passed to validators of a program, because `as? Set<…>` reads the storage directly.
    private func valueToValidate(_ place: PropertyPlace) -> Any? {
        guard case .toMany(let relationship) = place, !relationship.relationship.isOrdered else {
            return currentValue(place)
        }
        return RelationshipSet(self, relationship)
    }

    private static func areSame(_ one: Any?, _ other: Any?) -> Bool {
        switch (one, other) {
        case (nil, nil): true
        case (let one as String, let other as String): one == other
        case (let one as NSObject, let other as NSObject): one === other || one.isEqual(other)
        case (let one?, let other?): FormatConstant(one) == FormatConstant(other)
        default: false
        }
    }

    /// Validates one value by the model's rules for the property.
    final func validateByModel(_ value: Any?, _ key: String) throws {
        guard let place = table[key] else { return }
        switch place {
        case .attribute(let place): try validate(value, place)
        case .toOne(let relationship):
            if value == nil || value is NSNull, relationship.relationship.requiresDestination {
                throw CocoaError.missingValue(self, key)
            }
        case .toMany(let relationship):
            if relationship.relationship.limitsCount { try validateCount(Self.count(of: value), relationship) }
        case .fetched: break
        }
        try validateByPredicates(value, key)
    }

    private func validate(_ value: Any?, _ place: AttributePlace) throws {
        guard let value, !(value is NSNull) else {
            if !place.description.isOptional, !place.attribute.attribute.isTransient, place.type != .composite,
                !hasUnreadableValue(place)
            {
                throw CocoaError.missingValue(self, place.name)
            }
            return
        }
        if place.isOutsideSlot { return }
        guard AttributeCoding.values(value, of: place.attribute.attribute) != nil else {
            throw CocoaError.validation(
                .managedObjectValidation, self, place.name, value: value,
                text: "'\(entity.name ?? "").\(place.name)' takes values of \(place.description.wanted) only.")
        }
    }

    /// Whether the stored value cannot be converted by this program, such as data of an unknown class, or a text that is not a
    /// URI. It stays unchanged.
    private func hasUnreadableValue(_ place: AttributePlace) -> Bool {
        guard place.type == .transformable || place.type == .uri else { return false }
        let stored = record.value(place.slot)
        return !stored.isNull && AttributeCoding.any(stored, of: place.attribute.attribute) == nil
    }

    private static func count(of value: Any?) -> Int {
        (value as? RelationshipSet)?.count ?? objects(in: value)?.count ?? 0
    }

    private func validateCount(_ count: Int, _ relationship: EntityRelationship) throws {
        let name = "'\(entity.name ?? "").\(relationship.name)'"
        switch relationship.relationship.fault(ofCount: count) {
        case .tooFew(let minimum):
            throw CocoaError.validation(
                .validationRelationshipLacksMinimumCount, self, relationship.name,
                text: "\(name) has \(count) objects and needs at least \(minimum).")
        case .tooMany(let maximum):
            throw CocoaError.validation(
                .validationRelationshipExceedsMaximumCount, self, relationship.name,
                text: "\(name) has \(count) objects and may have at most \(maximum).")
        case nil: break
        }
    }

    /// Nil satisfies all predicates: whether it is allowed is another rule.
    private func validateByPredicates(_ value: Any?, _ key: String) throws {
        guard let property = entity.propertiesByName[key], !property.validationPredicates.isEmpty, let value,
            !(value is NSNull)
        else { return }
        for (index, predicate) in property.validationPredicates.enumerated() where !predicate.evaluate(with: value) {
            let warning = property.validationWarnings.indices.contains(index) ? property.validationWarnings[index] : nil
            let code = (warning as? NSNumber)?.intValue ?? (warning as? Int)
            let name = "'\(entity.name ?? "").\(key)'"
            throw CocoaError.validation(
                code.map { CocoaError.Code(rawValue: $0) } ?? .managedObjectValidation, self, key, value: value,
                predicate: predicate,
                text: "A value of \(name) does not pass a rule of the model.", shown: warning as? String)
        }
    }

    // MARK: Deletion

    final func validateDeletion() throws {
        guard let context = managedObjectContext else { return }
        let errors = try context.graph.deniedDeletes(of: [record]).map { denied in
            let blockers = denied.blockers.compactMap { context.object($0) }
            return CocoaError.validation(
                .validationRelationshipDeniedDelete, self, denied.relationship.name,
                text:
                    "\(record.id.uriText) cannot be deleted while '\(entity.name ?? "").\(denied.relationship.name)' has "
                    + "\(blockers.count) object\(blockers.count == 1 ? "" : "s"); delete or unlink them first.",
                more: [NSAffectedObjectsErrorKey: blockers])
        }
        if let error = CocoaError.combining(errors) { throw error }
    }
}
