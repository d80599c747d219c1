import Foundation

/// The results at one moment, divided into sections.
final class FetchedContent {
    let objects: [NSObject]
    /// The section name of each object; empty without sections.
    let names: [String]
    let sections: [FetchedSection]

    /// - Parameters:
    ///   - names: the section name of each object; `nil` for one section without a name.
    ///   - title: the index title of a section, by its name.
    init(_ objects: [NSObject], names: [String]?, title: (String) -> String?) {
        self.objects = objects
        self.names = names ?? []
        guard let names else {
            sections = [FetchedSection("", nil, objects, 0..<objects.count)]
            return
        }
        sections = Self.runs(of: names).map {
            FetchedSection(names[$0.lowerBound], title(names[$0.lowerBound]), objects, $0)
        }
    }

    private static func runs(of names: [String]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start = 0
        for index in names.indices where index + 1 == names.count || names[index + 1] != names[index] {
            runs.append(start..<index + 1)
            start = index + 1
        }
        return runs
    }

    /// The first position at which a section continues after another one began.
    var scatteredIndex: Int? {
        var seen: Set<String> = []
        return sections.first { !seen.insert($0.name).inserted }?.range.lowerBound
    }

    // MARK: Positions

    private lazy var positions: [NSObject: Int] = Dictionary(
        zip(objects, objects.indices), uniquingKeysWith: { first, _ in first })

    func position(of object: NSObject) -> Int? { positions[object] }

    func indexPath(of object: NSObject) -> IndexPath? { position(of: object).map(indexPath) }

    func indexPath(at position: Int) -> IndexPath {
        let section = section(at: position)
        return IndexPath(indexes: [section, position - sections[section].range.lowerBound])
    }

    /// The section of a position, which must be that of an object.
    func section(at position: Int) -> Int {
        var (low, high) = (0, sections.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if position < sections[middle].range.upperBound { high = middle } else { low = middle + 1 }
        }
        return low
    }

    func object(at indexPath: IndexPath) -> NSObject? {
        guard indexPath.count == 2, sections.indices.contains(indexPath[0]) else { return nil }
        let range = sections[indexPath[0]].range
        let position = range.lowerBound + indexPath[1]
        return range.contains(position) ? objects[position] : nil
    }
}

/// Results with the same section name.
final class FetchedSection: NSFetchedResultsSectionInfo {
    let name: String
    let indexTitle: String?
    /// Positions among all results.
    let range: Range<Int>
    private let all: [NSObject]

    init(_ name: String, _ indexTitle: String?, _ all: [NSObject], _ range: Range<Int>) {
        self.name = name
        self.indexTitle = indexTitle
        self.all = all
        self.range = range
    }

    var numberOfObjects: Int { range.count }
    var objects: [Any]? { Array(all[range]) }
}
