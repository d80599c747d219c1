import Foundation

/// The parts of models: entities, properties, indexes.
///
/// Once a coordinator uses a model, every part of it is frozen, because the model of an open store must not change. A later
/// change is ignored and logged. (Apple's framework raises an exception, which Swift could not catch.)
protocol ModelPart: AnyObject {
    /// Set once, under the model's lock, before other threads can use the model.
    var isFrozen: Bool { get }
    /// The name of this part in the log.
    var partName: String { get }
}

extension ModelPart {
    /// For property observers: whether to restore the old value.
    func refuses(_ change: String) -> Bool {
        guard isFrozen else { return false }
        CoreDataLog.logger.error(
            "\(partName) is in use, so '\(change)' stays as it is. Change a copy of the model before it is used.")
        return true
    }
}
