import ObjectGraph

// Exact equality of stored values. `==` also accepts canonically equivalent spellings of a text, and zero for minus
// zero; a comparison of files must distinguish them.
extension SlotValues {
    func isExactly(_ other: SlotValues) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.isExactly($1) }
    }
}

extension Value {
    func isExactly(_ other: Value) -> Bool {
        switch (self, other) {
        case (.real(let own), .real(let its)): own.bitPattern == its.bitPattern
        case (.text(let own), .text(let its)): own.utf8.elementsEqual(its.utf8)
        default: self == other
        }
    }
}

extension InspectedValue {
    func isExactly(_ other: InspectedValue) -> Bool {
        switch (self, other) {
        case (.real(let own), .real(let its)): own.bitPattern == its.bitPattern
        case (.text(let own), .text(let its)): own.utf8.elementsEqual(its.utf8)
        case (.list(let own), .list(let its)):
            own.count == its.count && zip(own, its).allSatisfy { $0.isExactly($1) }
        case (.fields(let own), .fields(let its)):
            own.count == its.count && zip(own, its).allSatisfy { $0.name == $1.name && $0.value.isExactly($1.value) }
        default: self == other
        }
    }
}
