import Foundation
import ObjectGraph

/// Edits by primitive setters, from `willChangeValue(forKey:)` to `didChangeValue(forKey:)`.
extension NSManagedObject {
    /// Saves the values that primitive setters are about to replace.
    final func beginPrimitiveEdit(_ key: String) {
        record.beginEdit()
        guard let slots = table[key]?.slots, !slots.isEmpty, let context = managedObjectContext else { return }
        context.primitiveEdits[PropertyOfObject(object: self, key: key)] = Array(record.values(slots))
    }

    /// Turns the changes by primitive setters into an ordinary edit from the former values to the current ones.
    final func endPrimitiveEdit(_ key: String) {
        guard let place = table[key], let context = managedObjectContext,
            let former = context.primitiveEdits.removeValue(forKey: PropertyOfObject(object: self, key: key))
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

/// A property of an object, as a key of `primitiveEdits`. Retains the object, so that no other object has its address.
struct PropertyOfObject: Hashable {
    let object: NSManagedObject
    let key: String
}
