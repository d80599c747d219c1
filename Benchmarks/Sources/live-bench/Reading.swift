import SwiftData

/// A row of the benchmark of live results.
@Model
final class Reading {
    #Index<Reading>([\.station])

    var number: Int
    var station: Int
    var note = 0

    init(_ number: Int, station: Int) {
        self.number = number
        self.station = station
    }
}
