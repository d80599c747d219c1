/// The histories of several stores as one.
extension HistoryTransaction {
    /// By time. The transactions of one store stay in their order, whatever their times: its clock may have been set
    /// back.
    /// - Parameter histories: of one store each, in its order.
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
