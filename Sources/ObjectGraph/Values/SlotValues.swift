import Foundation

/// The values of one row in slot order, packed: sixteen bytes and a tag for each, in one allocation with a short
/// header. They are most of the memory of a million rows; an array of `Value` takes half as much again.
///
/// A value type: copies share their memory until one of them is written.
// Unchecked: the memory is written only if it has no other reference.
package struct SlotValues: @unchecked Sendable {
    private var memory: SlotMemory?

    package init() {}

    /// Creates this many nulls.
    package init(nulls count: Int) {
        memory = count > 0 ? .make(count) : nil
    }

    package init(_ values: some Collection<Value>) {
        self.init(nulls: values.count)
        for (slot, value) in values.enumerated() { fillNull(slot, with: value) }
    }

    // Set slots that are null, of values without copies, as those just created. Variants without a `Value` are for rows
    // read in large numbers.

    package func fillNull(_ slot: Int, with value: consuming Value) { memory?.slots.fillNull(slot, with: value) }
    package func fillNull(_ slot: Int, integer: Int64) { memory?.slots.fillNull(slot, integer: integer) }
    package func fillNull(_ slot: Int, real: Double) { memory?.slots.fillNull(slot, real: real) }
    package func fillNull(_ slot: Int, text: consuming String) { memory?.slots.fillNull(slot, text: text) }
    package func fillNull(_ slot: Int, reference: ObjectID) { memory?.slots.fillNull(slot, reference: reference) }

    // Set slots that may have a value; ignore missing slots. The caller must ensure that there is no copy.

    /// Whether there is no copy.
    mutating func isUnshared() -> Bool { memory == nil || isKnownUniquelyReferenced(&memory) }

    func refill(_ slot: Int, with value: consuming Value) { memory?.slots.refill(slot, with: value) }
    func refill(_ slot: Int, integer: Int64) { memory?.slots.refill(slot, integer: integer) }
    func refill(_ slot: Int, real: Double) { memory?.slots.refill(slot, real: real) }
    func refill(_ slot: Int, text: consuming String) { memory?.slots.refill(slot, text: text) }

    // The content of a slot, if it exists and has the type. Most reads are of this kind, so they avoid a `Value`.

    func integer(_ slot: Int) -> Int64? { memory?.slots.integer(slot) }
    func real(_ slot: Int) -> Double? { memory?.slots.real(slot) }
    func text(_ slot: Int) -> String? { memory?.slots.text(slot) }
    func reference(_ slot: Int) -> ObjectID? { memory?.slots.reference(slot) }

    package var byteCount: Int { reduce(0) { $0 + $1.byteCount } }

    /// Appends nulls up to this count.
    package mutating func extend(to count: Int) {
        guard count > self.count else { return }
        let extended = SlotValues(nulls: count)
        for (slot, value) in enumerated() { extended.fillNull(slot, with: value) }
        self = extended
    }

    private mutating func makeUnique() {
        if memory != nil, !isKnownUniquelyReferenced(&memory) { self = SlotValues(self) }
    }
}

extension SlotValues: RandomAccessCollection, MutableCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { memory?.slots.count ?? 0 }

    package subscript(slot: Int) -> Value {
        get { memory?.slots[slot] ?? .null }
        set {
            makeUnique()
            memory?.slots.set(slot, to: newValue)
        }
    }
}

extension SlotValues: Hashable {
    package static func == (lhs: SlotValues, rhs: SlotValues) -> Bool {
        lhs.memory === rhs.memory || lhs.elementsEqual(rhs)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for value in self { hasher.combine(value) }
    }
}

extension SlotValues: ExpressibleByArrayLiteral {
    package init(arrayLiteral values: Value...) { self.init(values) }
}

/// The memory of one row's values, after the object's own header, in words.
private final class SlotMemory: ManagedBuffer<Void, UInt64> {
    static func make(_ count: Int) -> SlotMemory {
        let memory = unsafeDowncast(
            create(minimumCapacity: PackedSlots.words(for: count)) { _ in }, to: SlotMemory.self)
        memory.slots.initialize(count: count)
        return memory
    }

    deinit { slots.deinitialize() }

    /// Valid as long as the memory.
    var slots: PackedSlots {
        @inline(__always) get {
            PackedSlots(base: UnsafeMutableRawPointer(withUnsafeMutablePointerToElements { $0 }))
        }
    }
}

/// A row's values in memory: their count, a tag with the type of each, and from the next whole word on, sixteen bytes
/// for each.
private struct PackedSlots {
    let base: UnsafeMutableRawPointer

    private enum Tag: UInt8 {
        case null = 0, integer, real, text, bytes, uuid, decimal, reference
    }

    private typealias Count = UInt16
    private static let contentSize = 16

    /// Decimals are larger than sixteen bytes.
    private final class DecimalBox {
        let value: Decimal
        init(_ value: Decimal) { self.value = value }
    }

    private static func headerWords(for count: Int) -> Int {
        (MemoryLayout<Count>.size + count + MemoryLayout<UInt64>.size - 1) / MemoryLayout<UInt64>.size
    }

    static func words(for count: Int) -> Int {
        headerWords(for: count) + count * contentSize / MemoryLayout<UInt64>.size
    }

    var count: Int { Int(base.assumingMemoryBound(to: Count.self).pointee) }

    private var tags: UnsafeMutablePointer<Tag> {
        (base + MemoryLayout<Count>.size).assumingMemoryBound(to: Tag.self)
    }

    private func place<Content>(_ slot: Int, of type: Content.Type) -> UnsafeMutablePointer<Content> {
        assert(MemoryLayout<Content>.size <= Self.contentSize)
        let start = Self.headerWords(for: count) * MemoryLayout<UInt64>.size
        return (base + start + slot * Self.contentSize).assumingMemoryBound(to: type)
    }

    /// Makes all slots null. The contents of null slots stay uninitialized.
    @inline(__always)
    func initialize(count: Int) {
        // In words, because the tags of long rows fill more than the first word; the tag of null is 0.
        let words = base.assumingMemoryBound(to: UInt64.self)
        words[0] = 0
        for word in 1..<max(Self.headerWords(for: count), 1) { words[word] = 0 }
        base.storeBytes(of: Count(count), as: Count.self)
    }

    subscript(slot: Int) -> Value {
        precondition(slot >= 0 && slot < count, "A row has no such slot.")
        return switch tags[slot] {
        case .null: .null
        case .integer: .integer(place(slot, of: Int64.self).pointee)
        case .real: .real(place(slot, of: Double.self).pointee)
        case .text: .text(place(slot, of: String.self).pointee)
        case .bytes: .bytes(place(slot, of: Data.self).pointee)
        case .uuid: .uuid(place(slot, of: UUID.self).pointee)
        case .decimal: .decimal(place(slot, of: DecimalBox.self).pointee.value)
        case .reference: .reference(place(slot, of: ObjectID.self).pointee)
        }
    }

    // Never inlined: if the caller sees more than the call, the compiler retains and releases the memory around it.

    @inline(never) func integer(_ slot: Int) -> Int64? { content(slot, .integer) }
    @inline(never) func real(_ slot: Int) -> Double? { content(slot, .real) }
    @inline(never) func text(_ slot: Int) -> String? { content(slot, .text) }
    @inline(never) func reference(_ slot: Int) -> ObjectID? { content(slot, .reference) }

    /// - Parameter tag: The tag of the content's type.
    @inline(__always)
    private func content<Content>(_ slot: Int, _ tag: Tag) -> Content? {
        guard slot >= 0, slot < count, tags[slot] == tag else { return nil }
        return place(slot, of: Content.self).pointee
    }

    @inline(__always)
    func fillNull(_ slot: Int, with value: consuming Value) {
        switch consume value {
        case .null: break
        case .integer(let integer): fillNull(slot, integer: integer)
        case .real(let real): fillNull(slot, real: real)
        case .text(let text): fillNull(slot, text: text)
        case .bytes(let bytes): fill(slot, .bytes, bytes)
        case .uuid(let uuid): fill(slot, .uuid, uuid)
        case .decimal(let decimal): fill(slot, .decimal, DecimalBox(decimal))
        case .reference(let id): fillNull(slot, reference: id)
        }
    }

    func fillNull(_ slot: Int, integer: Int64) { fill(slot, .integer, integer) }
    func fillNull(_ slot: Int, real: Double) { fill(slot, .real, real) }
    func fillNull(_ slot: Int, text: consuming String) { fill(slot, .text, text) }
    func fillNull(_ slot: Int, reference: ObjectID) { fill(slot, .reference, reference) }

    // Not inlined for the same reason.

    @inline(never) func refill(_ slot: Int, with value: consuming Value) {
        if empties(slot) { fillNull(slot, with: value) }
    }
    @inline(never) func refill(_ slot: Int, integer: Int64) { if empties(slot) { put(slot, .integer, integer) } }
    @inline(never) func refill(_ slot: Int, real: Double) { if empties(slot) { put(slot, .real, real) } }
    @inline(never) func refill(_ slot: Int, text: consuming String) { if empties(slot) { put(slot, .text, text) } }

    /// - Returns: Whether the slot exists; it is null afterwards.
    @inline(__always)
    private func empties(_ slot: Int) -> Bool {
        guard slot >= 0, slot < count else { return false }
        if tags[slot] != .null { empty(slot) }
        return true
    }

    @inline(__always)
    private func fill<Content>(_ slot: Int, _ tag: Tag, _ content: consuming Content) {
        precondition(slot >= 0 && slot < count, "A row has no such slot.")
        put(slot, tag, content)
    }

    /// Writes to an existing slot that is null.
    @inline(__always)
    private func put<Content>(_ slot: Int, _ tag: Tag, _ content: consuming Content) {
        place(slot, of: Content.self).initialize(to: content)
        tags[slot] = tag
    }

    @inline(__always)
    func set(_ slot: Int, to value: consuming Value) {
        clear(slot)
        fillNull(slot, with: value)
    }

    @inline(__always)
    private func clear(_ slot: Int) {
        precondition(slot >= 0 && slot < count, "A row has no such slot.")
        if tags[slot] != .null { empty(slot) }
    }

    private func empty(_ slot: Int) {
        switch tags[slot] {
        case .null, .integer, .real, .uuid, .reference: break
        case .text: place(slot, of: String.self).deinitialize(count: 1)
        case .bytes: place(slot, of: Data.self).deinitialize(count: 1)
        case .decimal: place(slot, of: DecimalBox.self).deinitialize(count: 1)
        }
        tags[slot] = .null
    }

    func deinitialize() {
        for slot in 0..<count { empty(slot) }
    }
}
