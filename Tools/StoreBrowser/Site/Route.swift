/// The path of a view, consumed part by part.
struct Route: Sendable {
    private var parts: ArraySlice<String>
    /// The extension of the last path part: `json`, `svg`, or none. The part itself contains no dot.
    let ending: String?

    var isProgram: Bool { ending == "json" }
    var isAtEnd: Bool { parts.isEmpty }
    var first: String? { parts.first }

    /// - Parameter segments: percent-encoded parts.
    /// - Throws: `Problem.nothingHere`.
    init(_ segments: [String]) throws {
        var segments = segments
        var ending: String?
        if let last = segments.last, let point = last.lastIndex(of: "."), last.first != "." {
            ending = String(last[last.index(after: point)...])
            segments[segments.count - 1] = String(last[..<point])
        }
        self.ending = ending
        parts = try segments.map { segment in
            guard let part = PercentText.decoded(segment[...]) else { throw Problem.nothingHere }
            return part
        }[...]
    }

    mutating func take(_ name: String) -> Bool {
        guard parts.first == name else { return false }
        parts.removeFirst()
        return true
    }

    /// - Throws: `Problem.nothingHere` at the end.
    mutating func next() throws -> String {
        guard let part = parts.popFirst() else { throw Problem.nothingHere }
        return part
    }

    /// - Throws: `Problem.nothingHere` if parts remain.
    func end() throws {
        guard parts.isEmpty else { throw Problem.nothingHere }
    }
}
