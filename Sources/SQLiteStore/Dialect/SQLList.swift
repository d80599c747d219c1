/// Numbers in parentheses, as SQL text.
struct SQLList: CustomStringConvertible {
    let numbers: [Int]
    init(_ numbers: [Int]) { self.numbers = numbers }
    var description: String { "(" + numbers.map(String.init).joined(separator: ", ") + ")" }
}
