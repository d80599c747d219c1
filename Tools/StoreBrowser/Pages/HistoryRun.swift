import StoreInspection

/// Consecutive saves of one kind, such as the steps of a long delete, a restore or an import.
struct HistoryRun: Sendable {
    /// Newest first.
    private(set) var entries: [HistoryListing.Entry]

    /// Shorter runs are listed as single saves.
    private static let shortest = 4
    /// In seconds.
    private static let longestGap = 10.0

    var isLong: Bool { entries.count >= Self.shortest }

    var sums: (inserted: Int, updated: Int, deleted: Int) {
        entries.reduce((0, 0, 0)) { sums, entry in
            let own = entry.counts.sums
            return (sums.0 + own.inserted, sums.1 + own.updated, sums.2 + own.deleted)
        }
    }

    /// In the order of the entries.
    static func all(_ entries: [HistoryListing.Entry]) -> [HistoryRun] {
        entries.reduce(into: []) { runs, entry in
            if let last = runs.last?.entries.last, continues(last, entry) {
                runs[runs.count - 1].entries.append(entry)
            } else {
                runs.append(HistoryRun(entries: [entry]))
            }
        }
    }

    private static func continues(_ newer: HistoryListing.Entry, _ older: HistoryListing.Entry) -> Bool {
        newer.transaction.who == older.transaction.who
            && newer.transaction.timestamp - older.transaction.timestamp <= longestGap
            && kind(newer) != nil && kind(newer) == kind(older)
    }

    private enum Kind {
        case inserting, deleting
    }

    /// `nil` for a save that both inserts and deletes, or only updates.
    private static func kind(_ entry: HistoryListing.Entry) -> Kind? {
        let sums = entry.counts.sums
        if sums.deleted > 0, sums.inserted == 0 { return .deleting }
        return sums.inserted > 0 && sums.deleted == 0 ? .inserting : nil
    }
}
