import Foundation
import ObjectGraph

/// Changed and committed values. Transient attributes are in neither.
extension NSManagedObject {
    /// Returns the current values of the properties that have unsaved changes; for a new object, of all properties with a value.
    /// - Returns: Values by name, with `NSNull` for nil.
    public func changedValues() -> [String: Any] {
        guard record.isInserted || record.isUpdated else { return [:] }
        let base = record.isInserted ? [] : savedValues
        var changed: [String: Any] = [:]
        for (name, place) in persistentPlaces where isChanged(place, from: base) {
            changed[name] = currentValue(place) ?? NSNull()
        }
        return changed
    }

    /// Returns the former values of the properties that were changed since pending changes were last processed. These are the
    /// changes that the objects-did-change notification reports.
    /// - Returns: Values by name, with `NSNull` for nil.
    public func changedValuesForCurrentEvent() -> [String: Any] {
        guard let context = managedObjectContext, let before = context.graph.valuesBeforeEvent(of: record) else {
            return [:]
        }
        var changed: [String: Any] = [:]
        for (name, place) in persistentPlaces {
            if case .toMany(let relationship) = place {
                let members = context.graph.membersBeforeEvent(of: record, relationship)
                if let members { changed[name] = collection(of: members, relationship) }
            } else if isChanged(place, from: before) {
                changed[name] = value(place, in: before) ?? NSNull()
            }
        }
        return changed
    }

    /// Returns the values as last saved or fetched; an empty dictionary for an object that was never saved.
    /// - Parameter keys: the names of properties; `nil` for all persistent properties.
    /// - Returns: Values by name, with `NSNull` for nil.
    public func committedValues(forKeys keys: [String]?) -> [String: Any] {
        guard !record.isInserted else { return [:] }
        willRead()
        var values: [String: Any] = [:]
        for (name, place) in persistentPlaces where keys?.contains(name) ?? true {
            values[name] = value(place, in: savedValues) ?? NSNull()
        }
        return values
    }

    private var savedValues: SlotValues { record.committed ?? record.values }

    private var persistentPlaces: [(String, PropertyPlace)] {
        let attributes = table.entity.attributes.filter { !$0.attribute.isTransient }.map(\.name)
        return (attributes + table.entity.relationships.map(\.name)).compactMap { name in
            table[name].map { (name, $0) }
        }
    }

    private func isChanged(_ place: PropertyPlace, from base: SlotValues) -> Bool {
        switch place {
        case .attribute(let place): place.attribute.slots.contains { differs($0, base) }
        case .toOne(let relationship): relationship.slot.map { differs($0, base) } ?? false
        case .toMany(let relationship): record.isEdited(relationship)
        case .fetched: false
        }
    }

    /// A missing slot counts as null.
    final func differs(_ slot: Int, _ base: SlotValues) -> Bool {
        guard slot < record.values.count else { return false }
        return record.values[slot] != (slot < base.count ? base[slot] : .null)
    }

    private func value(_ place: PropertyPlace, in values: SlotValues) -> Any? {
        switch place {
        case .attribute(let place):
            guard place.attribute.slots.upperBound <= values.count else { return nil }
            return AttributeCoding.any(values[place.attribute.slots], of: place.attribute.attribute)
        case .toOne(let relationship):
            guard let slot = relationship.slot, slot < values.count, case .reference(let id) = values[slot],
                let graph = record.graph, let destination = graph.record(for: id)
            else { return nil }
            return graph.object(of: destination)
        case .toMany(let relationship):
            return collection(of: record.graph?.storedMembers(of: record, relationship) ?? [], relationship)
        case .fetched: return nil
        }
    }
}
