import Foundation

/// What models are made of: entities, properties, indexes.
///
/// Once a coordinator uses a model, every part of it is frozen, as what a store was opened with must not change under
/// it. A change that comes later is not made, and the log says so. (Apple's framework raises an exception there, which
/// Swift could not catch.)
protocol ModelPart: AnyObject {
    /// Set once, under the model's lock, before anybody else can see the model in use.
    var isFrozen: Bool { get }
    /// How the log names this part.
    var partName: String { get }
}

extension ModelPart {
    /// For observers of properties: whether to put the old value back.
    func refuses(_ change: String) -> Bool {
        guard isFrozen else { return false }
        CoreDataLog.logger.error(
            "\(partName) is in use, so '\(change)' stays as it is. Change a copy of the model before it is used.")
        return true
    }
}
