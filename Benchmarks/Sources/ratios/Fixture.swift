import BenchmarkModels
import BenchmarkSupport
import Foundation
import HandWritten
import SwiftData

/// The initial store of measurements, made once and copied.
enum Fixture: String {
    /// Categories only, of the whole graph's schema.
    case categories
    /// Categories, animals, two visits and one tag for each animal.
    case graph
    /// Categories and animals, of the schema without visits and tags.
    case animals

    func path(_ count: Int, in directory: String) -> String { "\(directory)/\(rawValue)-\(count).store" }

    private var types: [any PersistentModel.Type] {
        switch self {
        case .categories, .graph: GraphModels.types
        case .animals: NullifyModels.types
        }
    }

    private var content: hw_content {
        switch self {
        case .categories: HW_CATEGORIES
        case .graph: HW_GRAPH
        case .animals: HW_ANIMALS
        }
    }

    /// The file is made by the library, the rows are inserted by hand.
    func make(_ count: Int, in directory: String) throws {
        let path = path(count, in: directory)
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let unfinished = path + ".unfinished"
        StoreFile.remove(unfinished)
        _ = try StoreFile.container(types, at: unfinished)
        hw_fill(unfinished, Int64(count), content)
        try FileManager.default.moveItem(atPath: unfinished, toPath: path)
        StoreFile.remove(unfinished)
    }
}
