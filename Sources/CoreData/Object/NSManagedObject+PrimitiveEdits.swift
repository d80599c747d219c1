import Foundation
import ObjectGraph

/// Edits by primitive setters, from `willChangeValue(forKey:)` to `didChangeValue(forKey:)`.
extension NSManagedObject {
    /// Notes the values that primitive setters are about to replace.
    final func beginPrimitiveEdit(_ key: String) {
        record.beginEdit()
        guard let slots = table[key]?.slots, !slots.isEmpty, let context = managedObjectContext else { return }
        context.primitiveEdits[PrimitiveEdit(object: self, key: key)] = Array(record.values(slots))
    }

    /// Makes what primitive setters did an edit like any other: from the former values to those that are there now.
    final func endPrimitiveEdit(_ key: String) {
        guard let place = table[key], let context = managedObjectContext,
            let former = context.primitiveEdits.removeValue(forKey: PrimitiveEdit(object: self, key: key))
        else { return }
        let new = Array(record.values(place.slots))
        guard new != former, new.count == former.count else { return }
        let destination = currentValue(place)
        for (slot, value) in zip(place.slots, former) { record.setUnnoticed(value, at: slot) }
        if case .toOne(let relationship) = place {
            setDestination(destination, relationship)
        } else {
            for (slot, value) in zip(place.slots, new) { record.setValue(value, at: slot) }
        }
    }
}

/// A property of an object between `willChangeValue(forKey:)` and `didChangeValue(forKey:)`. Holds the object, so that no
/// other one is taken for it.
struct PrimitiveEdit: Hashable {
    let object: NSManagedObject
    let key: String
}
