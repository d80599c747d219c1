import Foundation

extension PropertyList {
    /// The binary format. Equal lists give equal bytes, because dictionary keys are sorted.
    package var binary: Data {
        var writer = PropertyListWriter()
        let top = writer.add(self)
        return writer.finished(top: top)
    }
}

private struct PropertyListWriter {
    /// Objects without their references, whose size is only known at the end.
    private var objects: [Object] = []
    private var scalars: [PropertyList: Int] = [:]

    private struct Object {
        var head: [UInt8]
        var references: [Int] = []
    }

    mutating func add(_ value: PropertyList) -> Int {
        switch value {
        case .array(let elements): return add(collection: 0xA0, elements)
        case .set(let elements): return add(collection: 0xC0, elements)
        case .dictionary(let entries):
            let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            let keys = sorted.map { add(.string($0.key)) }
            let values = sorted.map { add($0.value) }
            return append(Object(head: head(0xD0, count: sorted.count), references: keys + values))
        default:
            if let known = scalars[value] { return known }
            let number = append(Object(head: scalar(value)))
            scalars[value] = number
            return number
        }
    }

    private mutating func add(collection marker: UInt8, _ elements: [PropertyList]) -> Int {
        let references = elements.map { add($0) }
        return append(Object(head: head(marker, count: elements.count), references: references))
    }

    private mutating func append(_ object: Object) -> Int {
        objects.append(object)
        return objects.count - 1
    }

    private func scalar(_ value: PropertyList) -> [UInt8] {
        switch value {
        case .boolean(let flag): [flag ? 0x09 : 0x08]
        case .integer(let number): integer(number)
        case .unsigned(let number): [0x14] + bigEndian(0, size: 8) + bigEndian(number, size: 8)
        case .real(let number): [0x23] + bigEndian(number.bitPattern, size: 8)
        case .date(let seconds): [0x33] + bigEndian(seconds.bitPattern, size: 8)
        case .data(let data): head(0x40, count: data.count) + Array(data)
        case .string(let text): string(text)
        case .uid(let number):
            [0x80 | UInt8(truncatingIfNeeded: byteCount(number) - 1)] + bigEndian(number, size: byteCount(number))
        case .null, .array, .set, .dictionary: [0x00]
        }
    }

    /// Only integers of eight bytes are signed.
    private func integer(_ number: Int64) -> [UInt8] {
        let size = number < 0 ? 8 : byteCount(UInt64(number))
        let marker: UInt8 = size == 1 ? 0x10 : size == 2 ? 0x11 : size == 4 ? 0x12 : 0x13
        return [marker] + bigEndian(UInt64(bitPattern: number), size: size)
    }

    private func string(_ text: String) -> [UInt8] {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return head(0x50, count: text.utf8.count) + Array(text.utf8) }
        let units = Array(text.utf16)
        return head(0x60, count: units.count) + units.flatMap { bigEndian(UInt64($0), size: 2) }
    }

    private func head(_ marker: UInt8, count: Int) -> [UInt8] {
        count < 15 ? [marker | UInt8(count)] : [marker | 0x0F] + integer(Int64(count))
    }

    /// Returns 1, 2, 4 or 8.
    private func byteCount(_ number: UInt64) -> Int {
        number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : number <= 0xFFFF_FFFF ? 4 : 8
    }

    private func bigEndian(_ number: UInt64, size: Int) -> [UInt8] {
        stride(from: (size - 1) * 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
    }

    func finished(top: Int) -> Data {
        let referenceSize = byteCount(UInt64(objects.count))
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object.head
            for reference in object.references { bytes += bigEndian(UInt64(reference), size: referenceSize) }
        }
        let table = bytes.count
        let offsetSize = byteCount(UInt64(table))
        for offset in offsets { bytes += bigEndian(UInt64(offset), size: offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for number in [objects.count, top, table] { bytes += bigEndian(UInt64(number), size: 8) }
        return Data(bytes)
    }
}
