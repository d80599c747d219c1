import Foundation
import SwiftData
import Testing

/// A custom coding, as an object with the kind beside the measures.
private enum Outline: Codable, Equatable {
    case circle(Double)
    case square(side: Double, turned: Bool)
    case none

    private enum Keys: String, CodingKey { case type, measure, turned }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        switch try values.decode(String.self, forKey: .type) {
        case "circle": self = .circle(try values.decode(Double.self, forKey: .measure))
        case "square":
            self = .square(
                side: try values.decode(Double.self, forKey: .measure),
                turned: try values.decode(Bool.self, forKey: .turned))
        default: self = .none
        }
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        switch self {
        case .circle(let radius):
            try values.encode("circle", forKey: .type)
            try values.encode(radius, forKey: .measure)
        case .square(let side, let turned):
            try values.encode("square", forKey: .type)
            try values.encode(side, forKey: .measure)
            try values.encode(turned, forKey: .turned)
        case .none: try values.encode("none", forKey: .type)
        }
    }
}

/// Synthesized coding under other keys.
private enum Pace: Codable, Equatable {
    case walk(minutes: Int)
    case rest

    private enum CodingKeys: String, CodingKey { case walk = "w", rest = "r" }
}

/// Coded as a single text.
private enum Fit: Codable, Equatable {
    case small
    case other(String)

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = text == "S" ? .small : .other(text)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .small: try container.encode("S")
        case .other(let text): try container.encode(text)
        }
    }
}

/// Synthesized coding; a payload has a case's name.
private indirect enum Tree: Codable, Equatable {
    case leaf
    case node(node: Tree, [Int])
    case empty
}

@Model private final class Drawing {
    var number: Int
    var shape: Outline
    var step: Pace
    var size: Fit
    var tree: Tree
    var spare: Outline?

    init(number: Int, shape: Outline, step: Pace, size: Fit, tree: Tree) {
        self.number = number
        self.shape = shape
        self.step = step
        self.size = size
        self.tree = tree
    }
}

@Suite("Enums with payloads")
struct EnumCodingTests {
    private func container() throws -> ModelContainer {
        try ModelContainer(for: Drawing.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    @Test("DV19 Whatever their coding, cases with and without payload are stored and read")
    func roundTrip() throws {
        let shapes: [Outline] = [.circle(2), .square(side: 1.5, turned: true), .none]
        let steps: [Pace] = [.walk(minutes: 3), .rest, .walk(minutes: 0)]
        let sizes: [Fit] = [.small, .other("XL"), .small]
        let trees: [Tree] = [.leaf, .node(node: .node(node: .empty, []), [1, 2]), .empty]
        let container = try container()
        let context = ModelContext(container)
        for number in 0..<3 {
            let drawing = Drawing(
                number: number, shape: shapes[number], step: steps[number], size: sizes[number], tree: trees[number])
            if number > 0 { drawing.spare = shapes[number] }
            context.insert(drawing)
        }
        try context.save()

        let read = try ModelContext(container).fetch(FetchDescriptor<Drawing>(sortBy: [SortDescriptor(\.number)]))
        #expect(read.map(\.shape) == shapes)
        #expect(read.map(\.step) == steps)
        #expect(read.map(\.size) == sizes)
        #expect(read.map(\.tree) == trees)
        #expect(read.map(\.spare) == [nil, shapes[1], shapes[2]])
    }

    @Test("A new case replaces the stored one, whatever the coding")
    func change() throws {
        let container = try container()
        let context = ModelContext(container)
        let drawing = Drawing(number: 0, shape: .circle(2), step: .rest, size: .other("M"), tree: .leaf)
        context.insert(drawing)
        try context.save()
        drawing.shape = .none
        drawing.step = .walk(minutes: 9)
        drawing.size = .small
        try context.save()
        let read = try #require(try ModelContext(container).fetch(FetchDescriptor<Drawing>()).first)
        #expect(read.shape == .none)
        #expect(read.step == .walk(minutes: 9))
        #expect(read.size == .small)
    }
}
