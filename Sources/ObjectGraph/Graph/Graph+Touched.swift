/// An object that was touched, with the values it had before.
package struct TouchedRecord {
    package let record: Record
    /// In slot order; empty for an object that was a fault or new.
    package let before: [Value]
}

extension Graph {
    func touch(_ record: Record) {
        guard tracksTouched, !record.status.contains(.touched) else { return }
        record.status.insert(.touched)
        touched.append(TouchedRecord(record: record, before: record.isInserted ? [] : record.values))
    }

    /// The list, which is then empty.
    package func takeTouched() -> [TouchedRecord] {
        let list = touched
        touched = []
        for entry in list { entry.record.status.remove(.touched) }
        return list
    }
}
