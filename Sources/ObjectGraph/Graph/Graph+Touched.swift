/// An object that was touched, with the values it had before.
package struct TouchedRecord {
    package let record: Record
    /// The face's object, which nothing else may keep alive.
    package let object: AnyObject?
    /// In slot order; empty for an object that was a fault or new.
    package let before: [Value]
    /// Whether it was inserted.
    package let isNew: Bool
}

extension Graph {
    enum Touch {
        case insertion
        case change
    }

    func touch(_ record: Record, _ kind: Touch = .change) {
        guard tracksTouched, !record.status.contains(.touched) else { return }
        record.status.insert(.touched)
        touched.append(
            TouchedRecord(
                record: record, object: record.object, before: kind == .insertion ? [] : record.values,
                isNew: kind == .insertion))
    }

    /// The list, which is then empty.
    package func takeTouched() -> [TouchedRecord] {
        let list = touched
        touched = []
        for entry in list { entry.record.status.remove(.touched) }
        return list
    }
}
