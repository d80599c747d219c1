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
    /// Attributes that every row must have a value for.
    private let mandatory: [(name: String, slots: Range<Int>)]

    private enum Source {
        case list(ArraySlice<[String: Any]>)
        /// With the attributes that the dictionary's names mean.
        case dictionaries((NSMutableDictionary) -> Bool, RowDictionary, [AttributePlace])
        case objects((NSManagedObject) -> Bool, NSManagedObject)
    }

    init(_ request: NSBatchInsertRequest, _ table: EntityTable) {
        self.table = table
        var defaults: [Value] = Array(repeating: .null, count: table.entity.slots.count)
        for (slot, value) in table.defaults where slot < defaults.count { defaults[slot] = value }
        self.defaults = defaults
        mandatory = table.entity.mandatoryAttributes.map { ($0.name, $0.slots) }
        if let handler = request.dictionaryHandler {
            source = .dictionaries(handler, RowDictionary(), [])
        } else if let handler = request.managedObjectHandler {
            let object = table.objectClass.init(entity: table.description, insertInto: nil)
            object.givenSlots = []
            source = .objects(handler, object)
        } else {
            source = .list((request.objectsToInsert ?? [])[...])
        }
    }

    /// - Returns: `false` after the last row.
    /// - Throws: `CocoaError` 1550 for a key or value that the entity does not take, 1570 for a missing one.
    mutating func fill(_ row: inout BatchInsert.Row) throws -> Bool {
        if row.values.isEmpty { row.values = defaults }
        switch source {
        case .list(var rest):
            guard let dictionary = rest.popFirst() else { return false }
            source = .list(rest)
            try fill(&row, from: dictionary)
        case .dictionaries(let handler, let dictionary, var places):
            dictionary.startRow()
            if handler(dictionary) { return false }
            if dictionary.names.count > places.count {
                for name in dictionary.names[places.count...] { places.append(try place(name)) }
                source = .dictionaries(handler, dictionary, places)
            }
            try fill(&row, from: dictionary, places)
        case .objects(let handler, let object):
            object.startOver(defaults)
            if handler(object) { return false }
            try fill(&row, from: object)
        }
        try check(row)
        return true
    }

    // MARK: Rows

    private func fill(_ row: inout BatchInsert.Row, from dictionary: [String: Any]) throws {
        clear(&row)
        for (key, value) in dictionary { try set(value, place(key), in: &row) }
        row.given.sort()
    }

    private func fill(
        _ row: inout BatchInsert.Row, from dictionary: RowDictionary, _ places: [AttributePlace]
    ) throws {
        if let strange = dictionary.strangeKey { throw unknown("\(strange)") }
        clear(&row)
        for (value, place) in zip(dictionary.values, places) {
            if let value { try set(value, place, in: &row) }
        }
        row.given.sort()
    }

    private func fill(_ row: inout BatchInsert.Row, from object: NSManagedObject) throws {
        if let (key, text) = object.refusedValues.first { throw refused(key, text) }
        clear(&row)
        for slot in object.givenSlots ?? [] where !row.given.contains(slot) { row.given.append(slot) }
        for slot in row.given { row.values[slot] = object.record.value(slot) }
        row.given.sort()
    }

    private func clear(_ row: inout BatchInsert.Row) {
        for slot in row.given { row.values[slot] = defaults[slot] }
        row.given.removeAll(keepingCapacity: true)
    }

    private func set(_ value: Any, _ place: AttributePlace, in row: inout BatchInsert.Row) throws {
        if place.isPlain {
            guard let own = AttributeCoding.given(value, place.type) else { throw wrongType(place) }
            row.values[place.slot] = own
            return row.given.append(place.slot)
        }
        guard let own = AttributeCoding.values(value, of: place.attribute.attribute) else { throw wrongType(place) }
        for (slot, value) in zip(place.attribute.slots, own) {
            row.values[slot] = value
            row.given.append(slot)
        }
    }

    private func place(_ key: String) throws -> AttributePlace {
        guard case .attribute(let place)? = table[key], place.isWritable else { throw unknown(key) }
        return place
    }

    private func check(_ row: BatchInsert.Row) throws {
        for attribute in mandatory where row.isNull(attribute.slots) {
            throw CocoaError.validation(
                .validationMissingMandatoryProperty, nil, attribute.name,
                text: "'\(table.entity.name).\(attribute.name)' must have a value in every row; nothing was inserted.")
        }
    }

    // MARK: Errors

    private func unknown(_ key: String) -> CocoaError {
        refused(key, "is no attribute that can be inserted")
    }

    private func wrongType(_ place: AttributePlace) -> CocoaError {
        refused(place.name, "takes values of \(place.description.wanted) only")
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
        givenSlots?.removeAll(keepingCapacity: true)
        if !looseValues.isEmpty { looseValues = [:] }
        if !refusedValues.isEmpty { refusedValues = [:] }
    }
}
