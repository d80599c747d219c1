/// Provides objects to the evaluator: a context's records, a store in memory, rows just read.
///
/// The methods may throw because reading a value or a destination may read a row.
package protocol QueryObjectSource {
    associatedtype Object

    var model: Model { get }
    func identifier(of object: Object) -> ObjectID
    /// Returns the index of the object's own entity, not of the one declared by the relationship to it.
    func entityIndex(of object: Object) -> Int
    /// Returns the current value of a slot; `.null` for a slot that the object lacks.
    func value(of object: Object, slot: Int) throws -> Value
    /// - Parameter index: The position in `Entity.relationships` of the object's entity.
    func destination(of object: Object, relationship index: Int) throws -> Object?
    /// - Parameter index: The position in `Entity.relationships` of the object's entity.
    func members(of object: Object, relationship index: Int) throws -> [Object]
}
