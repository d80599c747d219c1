/// What the engine asks of the face above it.
package protocol GraphFace: AnyObject {
    /// A new object for a record that has none.
    func makeObject(for record: Record) -> AnyObject?
    /// Unsaved work began or grew. Called while the graph's `options.tellsOfChanges` is set.
    func graphDidChange()
    /// Whether an object that comes in is of the class that the face has for the entity, and not another one of its name.
    func isObject(_ object: AnyObject, of entity: Entity) -> Bool
    /// A uniqueness constraint made one object's insertion an update of another one's row: both stand for the record.
    func redirect(_ object: AnyObject, to record: Record)
    /// An object comes in: values that it holds by itself are to be put into its record. Called while the graph's
    /// `options.asksForConstants` is set.
    func readConstants(of object: AnyObject)
    /// The first object since the graph's `touched` was last emptied was touched. Called only where events are collected.
    func graphWasTouched()
    /// The face should report a problem that has no caller to throw to.
    func report(_ error: any Error)
}

extension GraphFace {
    package func isObject(_ object: AnyObject, of entity: Entity) -> Bool { true }
    package func readConstants(of object: AnyObject) {}
    package func graphWasTouched() {}
}
