/// Where the evaluator finds objects: a context's records, a store that keeps everything in memory, rows just read.
///
/// The methods may throw because asking for a value or a destination can mean reading a row.
package protocol QueryObjectSource {
    associatedtype Object

    var model: Model { get }
    func identifier(of object: Object) -> ObjectID
    /// Index of the object's own entity, not of the one it was reached through.
    func entityIndex(of object: Object) -> Int
    /// What the slot holds now; `.null` for a slot the object has not.
    func value(of object: Object, slot: Int) throws -> Value
    /// - Parameter index: place in `Entity.relationships` of the object's entity.
    func destination(of object: Object, relationship index: Int) throws -> Object?
    /// - Parameter index: place in `Entity.relationships` of the object's entity.
    func members(of object: Object, relationship index: Int) throws -> [Object]
}
