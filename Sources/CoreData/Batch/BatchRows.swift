import Foundation
import ObjectGraph

/// The rows of a batch insert, one after the other, as the store wants them.
///
/// 1. Keys are names of attributes that are written: not of relationships, nor of derived or transient attributes. (BI1, BI2)
/// 2. What is not given has its default; what has none and must have a value fails the whole batch. (BI1, BI5)
struct BatchRows {
    private let table: EntityTable
    private var source: Source
    private let defaults: [Value]

    private enum Source {
        case list(ArraySlice<[String: Any]>)
        case dictionaries((NSMutableDictionary) -> Bool, NSMutableDictionary)
        case objects((NSManagedObject) -> Bool, NSManagedObject)
    }

    init(_ request: NSBatchInsertRequest, _ table: EntityTable) {
        self.table = table
        var defaults: [Value] = Array(repeating: .null, count: table.entity.slots.count)
        for (slot, value) in table.defaults where slot < defaults.count { defaults[slot] = value }
        self.defaults = defaults
        if let handler = request.dictionaryHandler {
            source = .dictionaries(handler, NSMutableDictionary())
        } else if let handler = request.managedObjectHandler {
            source = .objects(handler, table.objectClass.init(entity: table.description, insertInto: nil))
        } else {
            source = .list((request.objectsToInsert ?? [])[...])
        }
    }

    /// - Returns: `nil` after the last row.
    /// - Throws: `CocoaError` 1550 for a key or value that the entity does not take, 1570 for a missing one.
    mutating func next() throws -> BatchInsert.Row? {
        switch source {
        case .list(var rest):
            guard let dictionary = rest.popFirst() else { return nil }
            source = .list(rest)
            return try row(dictionary)
        case .dictionaries(let handler, let dictionary):
            dictionary.removeAllObjects()
            if handler(dictionary) { return nil }
            var row: [String: Any] = [:]
            for (key, value) in dictionary {
                guard let name = key as? String ?? (key as? NSString).map({ String(describing: $0) }) else {
                    throw unknown("\(key)")
                }
                row[name] = value
            }
            return try self.row(row)
        case .objects(let handler, let object):
            object.startOver(defaults)
            if handler(object) { return nil }
            return try row(object)
        }
    }

    // MARK: Rows

    private func row(_ dictionary: [String: Any]) throws -> BatchInsert.Row {
        var values = defaults
        var given: [Int] = []
        for (key, value) in dictionary {
            guard case .attribute(let place)? = table[key], !place.attribute.attribute.isDerived,
                !place.attribute.attribute.isTransient
            else { throw unknown(key) }
            guard let own = AttributeCoding.values(value, of: place.attribute.attribute) else {
                throw refused(key, "takes values of \(place.description.wanted) only")
            }
            for (slot, value) in zip(place.attribute.slots, own) {
                values[slot] = value
                given.append(slot)
            }
        }
        return try checked(BatchInsert.Row(values: values, given: given.sorted()))
    }

    /// Slots that differ from their defaults were given.
    private func row(_ object: NSManagedObject) throws -> BatchInsert.Row {
        if let (key, text) = object.refusedValues.first { throw refused(key, text) }
        var values = object.record.values
        for relationship in table.entity.toOneRelationships {
            if let slot = relationship.slot, slot < values.count { values[slot] = .null }
        }
        let given = values.indices.filter { $0 < defaults.count && values[$0] != defaults[$0] }
        return try checked(BatchInsert.Row(values: values, given: given))
    }

    private func checked(_ row: BatchInsert.Row) throws -> BatchInsert.Row {
        for attribute in table.entity.mandatoryAttributes
        where attribute.slots.allSatisfy({ $0 >= row.values.count || row.values[$0].isNull }) {
            throw CocoaError.validation(
                .validationMissingMandatoryProperty, nil, attribute.name,
                text: "'\(table.entity.name).\(attribute.name)' must have a value in every row; nothing was inserted.")
        }
        return row
    }

    private func unknown(_ key: String) -> CocoaError {
        refused(key, "is no attribute that can be inserted")
    }

    private func refused(_ key: String, _ text: String) -> CocoaError {
        .validation(
            .managedObjectValidation, nil, key, text: "'\(table.entity.name).\(key)' \(text); nothing was inserted.")
    }
}

extension NSManagedObject {
    /// The scratch object of a batch, as new.
    final func startOver(_ values: [Value]) {
        for slot in values.indices { record.initializeValue(values[slot], at: slot) }
        looseValues = [:]
        refusedValues = [:]
    }
}
