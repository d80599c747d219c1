import Foundation
import ObjectGraph

/// The default value of an attribute whose values are objects: a transformable one, or a transient one of any type.
struct ObjectDefault {
    let place: AttributePlace
    let object: Any

    /// - Returns: `nil` for an attribute without a default value, and for one whose default the engine keeps.
    init?(of place: AttributePlace) {
        guard place.type == .transformable, let object = place.description.defaultValue, !(object is NSNull) else {
            return nil
        }
        self.place = place
        self.object = object
    }
}

extension NSManagedObject {
    /// Sets the model's default values of a new object.
    final func setDefaultValues() {
        for (slot, value) in table.defaults { record.initializeValue(value, at: slot) }
        // The transformer must be registered when the first object is made, not when the model is compiled.
        for standard in table.objectDefaults {
            guard let value = values(for: standard.object, standard.place)?.first else { continue }
            record.initializeValue(value, at: standard.place.slot)
            if standard.place.isOutsideSlot {
                valuesOutsideSlots[standard.place.slot] = ValueOutsideSlot(object: standard.object, mark: value)
            }
        }
    }
}
