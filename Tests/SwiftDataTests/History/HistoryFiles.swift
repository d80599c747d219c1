import Foundation
import ObjectGraph

@testable import SQLiteStore
@testable import SwiftData

/// A file with the travels' model and without history, as Core Data makes them.
func makeWithoutHistory(at url: URL) throws {
    var options = SQLiteStore.Options()
    options.history = .without
    let model = try Schema([Travels.Trip.self, Travels.Voyage.self, Travels.Stay.self]).compiled()
    _ = try SQLiteStore(model: model, location: .file(url), options: options)
}
