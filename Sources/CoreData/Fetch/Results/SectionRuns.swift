import Foundation
import ObjectGraph

/// The division of results into sections: runs of consecutive results with the same section name.
struct SectionRuns {
    struct Run {
        let name: String
        let title: String?
        fileprivate(set) var count: Int
    }

    private(set) var runs: [Run] = []
    /// The position of each run's first result.
    private var starts: [Int] = []
    private(set) var count = 0
    /// Without sections, there is one run without a name, which may be empty.
    let isSectioned: Bool

    /// One section without a name.
    init(count: Int) {
        isSectioned = false
        runs = [Run(name: "", title: nil, count: count)]
        starts = [0]
        self.count = count
    }

    /// - Parameters:
    ///   - names: the section name of each result.
    ///   - title: the index title of a section, by its name.
    init(names: [String], title: (String) -> String?) {
        isSectioned = true
        for name in names { append(name, 1, title) }
    }

    private init() { isSectioned = true }

    private mutating func append(_ name: String, _ number: Int, _ title: (String) -> String?) {
        if number == 0 { return }
        if runs.last?.name == name {
            runs[runs.count - 1].count += number
        } else {
            runs.append(Run(name: name, title: title(name), count: number))
            starts.append(count)
        }
        count += number
    }

    // MARK: Positions

    /// The section of a position, which must be that of a result.
    func section(at position: Int) -> Int {
        var (low, high) = (0, runs.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if starts[middle] <= position { low = middle } else { high = middle - 1 }
        }
        return low
    }

    func name(at position: Int) -> String { runs[section(at: position)].name }

    func range(of section: Int) -> Range<Int> { starts[section]..<starts[section] + runs[section].count }

    func indexPath(at position: Int) -> IndexPath {
        let section = section(at: position)
        return IndexPath(indexes: [section, position - starts[section]])
    }

    /// The first position at which a section continues after another one began.
    var scatteredIndex: Int? {
        var seen: Set<String> = []
        return runs.firstIndex { !seen.insert($0.name).inserted }.map { starts[$0] }
    }

    // MARK: Changes

    /// Returns the sections after a change, and how many results of each present one stay in their section.
    /// - Parameters:
    ///   - removed: present positions of results that leave their section, ascending.
    ///   - inserted: the positions after the change, ascending, and section names of results that enter a section.
    func changed(
        removing removed: [Int], inserting inserted: [(position: Int, name: String)], title: (String) -> String?
    ) -> (runs: SectionRuns, staying: [Int]) {
        var staying = runs.map(\.count)
        for position in removed { staying[section(at: position)] -= 1 }
        guard isSectioned else { return (SectionRuns(count: count - removed.count + inserted.count), staying) }
        let titles = Dictionary(runs.lazy.map { ($0.name, $0.title) }, uniquingKeysWith: { first, _ in first })
        let known = { (name: String) in titles[name] ?? title(name) }
        var new = SectionRuns()
        var (index, left) = (0, staying.first ?? 0)
        func take(_ number: Int) {
            var wanted = number
            while wanted > 0, index < runs.count {
                let taken = min(wanted, left)
                new.append(runs[index].name, taken) { _ in runs[index].title }
                (wanted, left) = (wanted - taken, left - taken)
                if left == 0 {
                    index += 1
                    left = index < staying.count ? staying[index] : 0
                }
            }
        }
        for (position, name) in inserted {
            take(position - new.count)
            new.append(name, 1, known)
        }
        take(.max)
        return (new, staying)
    }

    /// Whether all sections are the same, apart from their results.
    func isSame(as other: SectionRuns) -> Bool {
        if !isSectioned { return true }
        return runs.count == other.runs.count && zip(runs, other.runs).allSatisfy { $0.name == $1.name }
            && scatteredIndex == nil
    }

    /// Returns the sections that stay: their former indexes by the present ones. These are all sections with results that
    /// stay, which keep their order, and as many of the others as possible. Sections that are scattered do not stay.
    func kept(from old: SectionRuns, staying: [Int]) -> [Int: Int] {
        if !isSectioned { return [0: 0] }
        let (before, after) = (old.indexesByName, indexesByName)
        let pairs = runs.indices.compactMap { index -> (old: Int, new: Int)? in
            guard after[runs[index].name] == .some(index), case let former?? = before[runs[index].name] else {
                return nil
            }
            return (former, index)
        }
        let fixed = pairs.indices.filter { staying[pairs[$0].old] > 0 }
        var (low, next) = (-1, 0)
        let possible = pairs.indices.filter { place in
            if next < fixed.count, fixed[next] == place {
                low = pairs[place].old
                next += 1
                return true
            }
            let high = next < fixed.count ? pairs[fixed[next]].old : old.runs.count
            return low < pairs[place].old && pairs[place].old < high
        }
        let run = IncreasingRun.indices(of: possible.map { pairs[$0].old })
        return Dictionary(uniqueKeysWithValues: run.map { (pairs[possible[$0]].new, pairs[possible[$0]].old) })
    }

    /// The index of each name's section; `nil` for a name that is scattered.
    private var indexesByName: [String: Int?] {
        var indexes: [String: Int?] = [:]
        for (index, run) in runs.enumerated() {
            indexes.updateValue(indexes[run.name] == nil ? index : nil, forKey: run.name)
        }
        return indexes
    }
}
