import Foundation

/// Follows a list of models while it is edited in place, to know at the end, without comparisons, whether models were only
/// appended.
///
/// An array does not record its changes. The trace therefore keeps a reference to the array's buffer, so that any change of
/// the program's array has to copy the buffer first; afterwards the two buffers differ. The exceptions are `append(_:)` and
/// `append(contentsOf:)` for arrays of models (`Array+Models.swift`): they find the trace, release its reference, append in
/// place, and let the trace refer to the array again. As long as both have the same buffer, models were only appended.
class AnyListTrace {
    fileprivate var next: AnyListTrace?
    fileprivate var isOver = false
}

final class ListTrace<Member: AnyObject>: AnyListTrace {
    /// Equal to the initial array with the models appended since.
    private var held: [Member]
    private let initialCount: Int

    /// Arrays of this thread find the trace until its end.
    init(_ list: [Member]) {
        held = list
        initialCount = list.count
        super.init()
        CurrentTraces.begin(self)
    }

    func end() { CurrentTraces.end(self) }

    /// Releases the buffer, which must have a single reference when the list is edited next.
    func releaseBuffer() { held = [] }

    // MARK: At the end

    /// The appended models, if there was no other change.
    func added(in list: [Member]) -> ArraySlice<Member>? {
        holds(list) ? list[initialCount...] : nil
    }

    /// The models to exchange; those at the beginning and the end at which both lists agree remain.
    /// - Returns: `nil` if most of the list differs.
    /// - Complexity: O(*n*) comparisons of references.
    func difference(to list: [Member]) -> (removed: ArraySlice<Member>, inserted: ArraySlice<Member>)? {
        let old = held[..<initialCount]
        let shorter = min(old.count, list.count)
        var start = 0
        while start < shorter, old[start] === list[start] { start += 1 }
        var rest = 0
        while rest < shorter - start, old[old.count - 1 - rest] === list[list.count - 1 - rest] { rest += 1 }
        let (removed, inserted) = (old[start..<old.count - rest], list[start..<list.count - rest])
        return removed.count + inserted.count <= max(Self.fewModels, shorter / 4) ? (removed, inserted) : nil
    }

    private static var fewModels: Int { 8 }

    // MARK: While models are added

    /// Whether both arrays have the same buffer. It is then unchanged, as it has more than one reference.
    private func holds(_ list: [Member]) -> Bool {
        list.count == held.count
            && list.withUnsafeBufferPointer { one in held.withUnsafeBufferPointer { one.baseAddress == $0.baseAddress }
            }
    }

    /// Appends to a list, and records that in the trace of the list if there is one.
    static func add(to list: inout [Member], _ addition: (inout [Member]) -> Void) {
        guard let trace = CurrentTraces.first(where: { ($0 as? ListTrace)?.holds(list) == true }) as? ListTrace else {
            return addition(&list)
        }
        // With a single reference the buffer grows in place.
        trace.held = []
        addition(&list)
        trace.held = list
    }
}

/// The lists that are being edited on this thread, the last one first.
enum CurrentTraces {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private static var first: AnyListTrace? {
        get {
            pthread_getspecific(key).map { Unmanaged<AnyListTrace>.fromOpaque($0).takeUnretainedValue() }
        }
        set {
            let former = pthread_getspecific(key)
            pthread_setspecific(key, newValue.map { Unmanaged.passRetained($0).toOpaque() })
            former.map { Unmanaged<AnyListTrace>.fromOpaque($0).release() }
        }
    }

    static var isAny: Bool { pthread_getspecific(key) != nil }

    static func begin(_ trace: AnyListTrace) {
        trace.next = first
        first = trace
    }

    /// A trace that ends on another thread than it began on, in a task, stays in that thread's list until the next one ends
    /// there.
    static func end(_ trace: AnyListTrace) {
        trace.isOver = true
        while let head = first, head.isOver { first = head.next }
    }

    static func first(where test: (AnyListTrace) -> Bool) -> AnyListTrace? {
        var next = first
        while let trace = next {
            if !trace.isOver, test(trace) { return trace }
            next = trace.next
        }
        return nil
    }
}
