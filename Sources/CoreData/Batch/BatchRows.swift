import Foundation
import ObjectGraph

/// The rows of a batch insert, one after the other, in the store's form.
///
/// 1. Keys are names of attributes that are neither derived nor transient.
/// 2. A missing attribute gets its default; a mandatory attribute without a value or default fails the whole batch.
struct BatchRows {
    private let table: EntityTable
    private let source: Source
    private let defaults: [Value]
    /// Slots of the entity's mandatory attributes, in order.
    private let mandatory: [Range<Int>]
    /// Number of the current row, from 1.
    private var number = 0
    /// For each slot, the number of the last row with a value for it; -1 before the first.
    private var lastRows: [Int]

    private enum Source {
        case list([[String: Any]])
        case dictionaries((NSMutableDictionary) -> Bool, RowDictionary)
        case objects((NSManagedObject) -> Bool, NSManagedObject)
    }

    init(_ request: NSBatchInsertRequest, _ table: EntityTable) {
        self.table = table
        var defaults: [Value] = Array(repeating: .null, count: table.entity.slots.count)
        for (slot, value) in table.defaults where slot < defaults.count { defaults[slot] = value }
        self.defaults = defaults
        lastRows = Array(repeating: -1, count: defaults.count)
        mandatory = table.entity.mandatoryAttributes.map(\.slots)
        if let handler = request.dictionaryHandler {
            source = .dictionaries(handler, RowDictionary())
        } else if let handler = request.managedObjectHandler {
            let object = table.objectClass.init(entity: table.description, insertInto: nil)
            object.givenSlots = []
            source = .objects(handler, object)
        } else {
            source = .list(request.objectsToInsert ?? [])
        }
    }

    /// - Returns: `false` after the last row.
    /// - Throws: `CocoaError` 1550 for a key or value that the entity does not accept, 1570 for a missing value.
    mutating func fill(_ row: inout BatchInsert.Row) throws -> Bool {
        if row.values.isEmpty { row.values = defaults }
        switch source {
        case .list(let dictionaries):
            guard number < dictionaries.count else { return false }
            try fill(&row, from: dictionaries[number])
        case .dictionaries(let handler, let dictionary):
            dictionary.startRow()
            if handler(dictionary) { return false }
            if let strange = dictionary.strangeKey { throw unknown("\(strange)") }
            try fill(&row, from: dictionary.given)
        case .objects(let handler, let object):
            object.startOver(defaults)
            if handler(object) { return false }
            try fill(&row, from: object)
        }
        try check(row)
        return true
    }

    // MARK: Rows

    private mutating func fill(
        _ row: inout BatchInsert.Row, from values: some Sequence<(key: String, value: Any)>
    ) throws {
        number += 1
        var (count, kept) = (0, 0)
        for (name, value) in values {
            let place = try place(name)
            try set(value, place, in: &row)
            for slot in place.attribute.slots {
                count += 1
                if lastRows[slot] == number - 1 { kept += 1 }
                lastRows[slot] = number
            }
        }
        // Fast path: the row has the same keys as the one before, so no former value remains.
        if kept == count, count == row.given.count { return }
        for slot in row.given where lastRows[slot] != number { row.values[slot] = defaults[slot] }
        row.given = lastRows.indices.filter { lastRows[$0] == number }
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
            return row.values[place.slot] = own
        }
        guard let own = AttributeCoding.values(value, of: place.attribute.attribute) else { throw wrongType(place) }
        for (slot, value) in zip(place.attribute.slots, own) { row.values[slot] = value }
    }

    private func place(_ key: String) throws -> AttributePlace {
        guard case .attribute(let place)? = table[key], place.isWritable else { throw unknown(key) }
        return place
    }

    private func check(_ row: BatchInsert.Row) throws {
        for (index, slots) in mandatory.enumerated() where row.isNull(slots) {
            let name = table.entity.mandatoryAttributes[index].name
            throw CocoaError.validation(
                .validationMissingMandatoryProperty, nil, name,
                text: "'\(table.entity.name).\(name)' must have a value in every row; nothing was inserted.")
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
    /// Resets the scratch object of a batch to a new object's values.
    final func startOver(_ values: [Value]) {
        for slot in values.indices { record.initializeValue(values[slot], at: slot) }
        givenSlots?.removeAll(keepingCapacity: true)
        if !valuesOutsideSlots.isEmpty { valuesOutsideSlots = [:] }
        if !refusedValues.isEmpty { refusedValues = [:] }
    }
}
