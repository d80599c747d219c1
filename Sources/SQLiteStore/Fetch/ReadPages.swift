import ObjectGraph

/// Reports read rows to a meter, in batches large enough to cost nothing.
struct ReadPages {
    static let rowsPerPage = 256

    private let meter: RowMeter?
    private var uncounted = 0

    init(_ meter: RowMeter?) { self.meter = meter }

    /// - Throws: `CancellationError` once the meter is cancelled.
    @inline(__always)
    mutating func addRow() throws {
        guard let meter else { return }
        uncounted += 1
        if uncounted == Self.rowsPerPage { try report(meter) }
    }

    /// Reports the remaining rows at the end.
    mutating func end() throws {
        if let meter, uncounted > 0 { try report(meter) }
    }

    private mutating func report(_ meter: RowMeter) throws {
        defer { uncounted = 0 }
        try meter.count(uncounted)
    }
}
