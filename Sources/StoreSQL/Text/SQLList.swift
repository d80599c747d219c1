/// Numbers in parentheses, as SQL text.
package struct SQLList: CustomStringConvertible {
    package let numbers: [Int]
    package init(_ numbers: [Int]) { self.numbers = numbers }
    package var description: String { "(" + numbers.map(String.init).joined(separator: ", ") + ")" }
}
