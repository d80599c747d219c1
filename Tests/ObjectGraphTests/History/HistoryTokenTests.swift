import Foundation
import ObjectGraph
import Testing

@Suite("History tokens")
struct HistoryTokenTests {
    @Test("a token survives encoding, and never contains a negative number")
    func coding() throws {
        let token = HistoryToken(["A": 3, "B": 0, "C": -1])
        #expect(token.numbers == ["A": 3, "B": 0])
        let data = try JSONEncoder().encode(token)
        #expect(try JSONDecoder().decode(HistoryToken.self, from: data) == token)
        #expect(
            try JSONDecoder().decode(HistoryToken.self, from: Data(#"{"A":-7,"B":2}"#.utf8)) == HistoryToken(["B": 2]))
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(HistoryToken.self, from: Data("[1]".utf8)) }
    }

    @Test("tokens have one order, consistent with equality")
    func order() {
        let ascending = [
            HistoryToken([:]), HistoryToken(["B": 0]), HistoryToken(["B": 9]), HistoryToken(["A": 0]),
            HistoryToken(["A": 0, "B": 0]), HistoryToken(["A": 1]), HistoryToken(["A": 1, "B": 5]),
            HistoryToken(["A": 2, "B": 1]),
        ]
        for (left, first) in ascending.enumerated() {
            for (right, second) in ascending.enumerated() {
                #expect((first < second) == (left < right), "\(first) and \(second)")
                #expect((first == second) == (left == right))
            }
        }
    }

    @Test("merging tokens gives the later position in each store")
    func merging() {
        let merged = HistoryToken(["A": 3, "B": 1]).merged(with: HistoryToken(["B": 4, "C": 2]))
        #expect(merged == HistoryToken(["A": 3, "B": 4, "C": 2]))
        #expect(merged.number(of: "B") == 4)
        #expect(merged.number(of: "D") == nil)
    }
}
