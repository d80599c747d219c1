import Foundation

extension PropertyList {
    /// Reads the binary format. Damaged and hostile input causes an error: every access is checked, and depth and total
    /// size are limited.
    /// - Parameter allowance: How much larger than eight times its bytes the expanded list may be, in bytes and objects
    ///   together.
    package init(binary data: Data, allowance: Int = 1 << 22) throws(PropertyListError) {
        var reader = try PropertyListReader(Array(data), allowance: allowance)
        self = try reader.object(reader.topObject, depth: 0)
    }
}

private struct PropertyListReader {
    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let offsetTable: Int
    let topObject: Int
    /// The remaining size that the list may expand to, in bytes and objects together. A shared object counts once per
    /// reference.
    private var budget: Int
    /// Finished collections by number. Each is built once, however often it is referred to, so the time depends on the
    /// size of the file and not of the expanded list.
    private var built: [Int: Built] = [:]
    /// Collections in progress. One that is found again contains itself.
    private var open: Set<Int> = []
    /// The depth of the deepest object so far.
    private var reached = 0

    private struct Built {
        let value: PropertyList
        /// The part of the budget that it used.
        let cost: Int
        /// The number of levels below it.
        let height: Int
    }

    private static let depthLimit = 64
    private static let trailerSize = 32

    init(_ bytes: [UInt8], allowance: Int) throws(PropertyListError) {
        self.bytes = bytes
        guard bytes.starts(with: Array("bplist0".utf8)) else { throw .notBinary }
        guard bytes.count >= 8 + Self.trailerSize else { throw .badTrailer }
        let trailer = bytes.count - Self.trailerSize
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let objectCount = Int(exactly: Self.number(bytes[(trailer + 8)..<(trailer + 16)])),
            let topObject = Int(exactly: Self.number(bytes[(trailer + 16)..<(trailer + 24)])),
            let offsetTable = Int(exactly: Self.number(bytes[(trailer + 24)..<(trailer + 32)])),
            offsetTable >= 8, offsetTable <= trailer, objectCount <= (trailer - offsetTable) / offsetSize,
            topObject < objectCount
        else { throw .badTrailer }
        self.objectCount = objectCount
        self.topObject = topObject
        self.offsetTable = offsetTable
        budget = allowance + bytes.count * 8
    }

    private static func number(_ slice: ArraySlice<UInt8>) -> UInt64 {
        slice.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func slice(at offset: Int, count: Int) throws(PropertyListError) -> ArraySlice<UInt8> {
        guard offset >= 0, count >= 0, offset <= offsetTable, count <= offsetTable - offset else {
            throw .outOfBounds(offset: offset)
        }
        return bytes[offset..<offset + count]
    }

    private mutating func spend(_ cost: Int) throws(PropertyListError) {
        guard cost <= budget else { throw .tooLarge }
        budget -= cost
    }

    private func offset(of object: Int) throws(PropertyListError) -> Int {
        let start = offsetTable + object * offsetSize
        guard let offset = Int(exactly: Self.number(bytes[start..<start + offsetSize])) else {
            throw .outOfBounds(offset: start)
        }
        return offset
    }

    mutating func object(_ number: Int, depth: Int) throws(PropertyListError) -> PropertyList {
        guard depth < Self.depthLimit else { throw .tooDeep }
        if let known = built[number] {
            guard depth + known.height < Self.depthLimit else { throw .tooDeep }
            try spend(known.cost)
            reached = max(reached, depth + known.height)
            return known.value
        }
        reached = max(reached, depth)
        try spend(1)
        let offset = try offset(of: number)
        guard let marker = try slice(at: offset, count: 1).first else { throw .outOfBounds(offset: offset) }
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0: return try simple(marker, offset)
        case 0x1: return try integer(at: offset, size: low)
        case 0x2: return .real(try real(at: offset, size: low))
        case 0x3 where low == 3: return .date(try real(at: offset, size: low))
        case 0x4: return .data(Data(try payload(at: offset, low, width: 1)))
        case 0x5: return .string(String(decoding: try payload(at: offset, low, width: 1), as: UTF8.self))
        case 0x6: return .string(String(decoding: try utf16Units(at: offset, low), as: UTF16.self))
        case 0x8: return .uid(try identifier(at: offset, size: low + 1))
        case 0xA, 0xC, 0xD: return try collection(number, marker, offset, depth)
        default: throw .unknownMarker(marker, offset: offset)
        }
    }

    private mutating func collection(
        _ number: Int, _ marker: UInt8, _ offset: Int, _ depth: Int
    ) throws(PropertyListError) -> PropertyList {
        guard open.insert(number).inserted else { throw .tooDeep }
        let (budgetBefore, reachedBefore) = (budget, reached)
        reached = depth
        let low = Int(marker & 0x0F)
        let value: PropertyList =
            switch marker >> 4 {
            case 0xA: .array(try elements(at: offset, low, depth))
            case 0xC: .set(try elements(at: offset, low, depth))
            default: .dictionary(try entries(at: offset, low, depth))
            }
        open.remove(number)
        built[number] = Built(value: value, cost: budgetBefore - budget + 1, height: reached - depth)
        reached = max(reached, reachedBefore)
        return value
    }

    // MARK: Scalars

    private func simple(_ marker: UInt8, _ offset: Int) throws(PropertyListError) -> PropertyList {
        switch marker {
        case 0x00: return .null
        case 0x08: return .boolean(false)
        case 0x09: return .boolean(true)
        default: throw .unknownMarker(marker, offset: offset)
        }
    }

    /// Integers of one to four bytes are unsigned, of eight bytes signed; sixteen bytes are used for values beyond the
    /// signed range.
    private func integer(at offset: Int, size: Int) throws(PropertyListError) -> PropertyList {
        guard size <= 4 else { throw .unknownMarker(0x10 | UInt8(size), offset: offset) }
        let content = try slice(at: offset + 1, count: 1 << size)
        let low = Self.number(content.suffix(8))
        guard size == 4 else { return .integer(Int64(bitPattern: low)) }
        let high = Self.number(content.prefix(8))
        if high == 0 { return Int64(exactly: low).map(PropertyList.integer) ?? .unsigned(low) }
        guard high == .max, Int64(bitPattern: low) < 0 else { throw .outOfBounds(offset: offset) }
        return .integer(Int64(bitPattern: low))
    }

    private func real(at offset: Int, size: Int) throws(PropertyListError) -> Double {
        switch size {
        case 2:
            let bits = Self.number(try slice(at: offset + 1, count: 4))
            return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case 3:
            return Double(bitPattern: Self.number(try slice(at: offset + 1, count: 8)))
        default:
            throw .unknownMarker(0x20 | UInt8(size), offset: offset)
        }
    }

    private func identifier(at offset: Int, size: Int) throws(PropertyListError) -> UInt64 {
        guard size <= 8 else { throw .unknownMarker(0x80 | UInt8(size - 1), offset: offset) }
        return Self.number(try slice(at: offset + 1, count: size))
    }

    // MARK: Counted objects

    /// The count is in the marker or, if that is full, in an integer object after it.
    private func count(at offset: Int, _ low: Int) throws(PropertyListError) -> (count: Int, start: Int) {
        guard low == 0x0F else { return (low, offset + 1) }
        guard let marker = try slice(at: offset + 1, count: 1).first, marker >> 4 == 1, marker & 0x0F <= 3 else {
            throw .outOfBounds(offset: offset)
        }
        let size = 1 << Int(marker & 0x0F)
        guard let count = Int(exactly: Self.number(try slice(at: offset + 2, count: size))) else {
            throw .outOfBounds(offset: offset)
        }
        return (count, offset + 2 + size)
    }

    private mutating func payload(
        at offset: Int, _ low: Int, width: Int
    ) throws(PropertyListError) -> ArraySlice<UInt8> {
        let (count, start) = try count(at: offset, low)
        guard count <= offsetTable / width else { throw .outOfBounds(offset: offset) }
        let content = try slice(at: start, count: count * width)
        try spend(content.count)
        return content
    }

    private mutating func utf16Units(at offset: Int, _ low: Int) throws(PropertyListError) -> [UInt16] {
        let content = Array(try payload(at: offset, low, width: 2))
        return stride(from: 0, to: content.count, by: 2).map { UInt16(content[$0]) << 8 | UInt16(content[$0 + 1]) }
    }

    private mutating func references(
        at offset: Int, count: Int, from start: Int
    ) throws(PropertyListError) -> [Int] {
        guard count <= offsetTable / referenceSize else { throw .outOfBounds(offset: offset) }
        let content = Array(try slice(at: start, count: count * referenceSize))
        try spend(count)
        var references: [Int] = []
        references.reserveCapacity(count)
        for position in stride(from: 0, to: content.count, by: referenceSize) {
            let number = Self.number(content[position..<position + referenceSize])
            guard let reference = Int(exactly: number), reference < objectCount else {
                throw .outOfBounds(offset: start + position)
            }
            references.append(reference)
        }
        return references
    }

    private mutating func elements(
        at offset: Int, _ low: Int, _ depth: Int
    ) throws(PropertyListError) -> [PropertyList] {
        let (count, start) = try count(at: offset, low)
        var elements: [PropertyList] = []
        for reference in try references(at: offset, count: count, from: start) {
            elements.append(try object(reference, depth: depth + 1))
        }
        return elements
    }

    private mutating func entries(
        at offset: Int, _ low: Int, _ depth: Int
    ) throws(PropertyListError) -> [String: PropertyList] {
        let (count, start) = try count(at: offset, low)
        let keys = try references(at: offset, count: count, from: start)
        let values = try references(at: offset, count: count, from: start + count * referenceSize)
        var entries: [String: PropertyList] = [:]
        for (key, value) in zip(keys, values) {
            guard case .string(let name) = try object(key, depth: depth + 1) else {
                throw .keyIsNotText(offset: offset)
            }
            entries[name] = try object(value, depth: depth + 1)
        }
        return entries
    }
}
