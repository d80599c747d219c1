/// The steps of a random run and its final state, as lines of text, and a digest of them. The same in every process.
package struct BehaviourDigest: Sendable {
    package private(set) var lines: [String] = []
    /// Whether the run has a failure, so that the digest must not be recorded.
    package private(set) var hasFailure = false
    private var temporaryNumbers: [Substring: Int] = [:]

    package init() {}

    package mutating func add(_ heading: String, _ part: [String]) {
        lines.append("# \(heading)")
        for line in part { lines.append(neutral(line)) }
    }

    /// Adds an end that no run should have. The error's text may differ from process to process.
    package mutating func addFailure(_ error: any Error) {
        add("ended early", ["\(type(of: error))"])
        hasFailure = true
    }

    /// Adds expectations that failed.
    package mutating func addUnmetExpectations(_ count: Int) {
        add("expectations not met", ["\(count)"])
        hasFailure = true
    }

    /// FNV-1a over the bytes of the lines, as 16 hexadecimal digits.
    package var text: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for line in lines {
            for byte in line.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            hash = (hash ^ 0x0a) &* 0x100_0000_01b3
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The line without a store's identifier, which is new for each store, and with temporary keys, which begin at a random
    /// number, renumbered from 1 in order of appearance.
    private mutating func neutral(_ line: String) -> String {
        guard line.contains("/t") || line.contains("x-coredata:") else { return line }
        let anywhere = line.replacing(/x-coredata:\/\/[0-9A-F-]*\//, with: "/")
        return anywhere.replacing(/\/t([0-9]{16})/) { "/t\(number(of: $0.output.1))" }
    }

    private mutating func number(of key: Substring) -> Int {
        let number = temporaryNumbers[key] ?? temporaryNumbers.count + 1
        temporaryNumbers[key] = number
        return number
    }
}
