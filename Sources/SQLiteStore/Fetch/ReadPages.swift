import ObjectGraph

/// Reports read rows to a meter, in batches large enough to cost nothing.
struct ReadPages {
    static let rowsPerPage = 256

    private let meter: RowMeter?
    private var untold = 0

    init(_ meter: RowMeter?) { self.meter = meter }

    /// - Throws: `CancellationError` once the meter is cancelled.
    @inline(__always)
    mutating func addRow() throws {
        guard let meter else { return }
        untold += 1
        if untold == Self.rowsPerPage { try tell(meter) }
    }

    /// Reports the remaining rows at the end.
    mutating func end() throws {
        if let meter, untold > 0 { try tell(meter) }
    }

    private mutating func tell(_ meter: RowMeter) throws {
        defer { untold = 0 }
        try meter.count(untold)
    }
}
