/// Joining the histories of several stores.
extension HistoryTransaction {
    /// Sorts by time. The transactions of one store stay in their order, even if their times are not, because its clock
    /// may have been set back.
    /// - Parameter histories: The histories of one store each, in their order.
    package static func chronological(_ histories: [[HistoryTransaction]]) -> [HistoryTransaction] {
        if histories.count < 2 { return histories.first ?? [] }
        var heads = histories.map(\.startIndex)
        var all: [HistoryTransaction] = []
        all.reserveCapacity(histories.reduce(0) { $0 + $1.count })
        while true {
            var earliest: Int?
            for place in histories.indices where heads[place] < histories[place].endIndex {
                let time = histories[place][heads[place]].timestamp
                if let found = earliest, histories[found][heads[found]].timestamp <= time { continue }
                earliest = place
            }
            guard let place = earliest else { return all }
            all.append(histories[place][heads[place]])
            heads[place] += 1
        }
    }
}
