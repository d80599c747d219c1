import Foundation

/// Follows a list of models while a program edits it in place, to know at the end, without comparing, whether models were
/// only added at its end.
///
/// An array tells nobody what is done to it. So the trace holds on to the array as it was: whatever changes the program's
/// copy has to copy it first, and the two are then different arrays. The exceptions are `append(_:)` and its like for
/// arrays of models (`Array+Models.swift`), which find the trace, have it let go, add in place, and give it the longer
/// array. As long as both are the same array, nothing else was done.
class AnyListTrace {
    fileprivate var next: AnyListTrace?
    fileprivate var isOver = false
}

final class ListTrace<Member: AnyObject>: AnyListTrace {
    /// Equal to the array at the beginning, with what was added since.
    private var held: [Member]
    private let initialCount: Int

    /// The trace is found by arrays of this thread until its end.
    init(_ list: [Member]) {
        held = list
        initialCount = list.count
        super.init()
        CurrentTraces.begin(self)
    }

    func end() { CurrentTraces.end(self) }

    /// Lets the lists go, of which others may wait to be the only holder.
    func forget() { held = [] }

    // MARK: At the end

    /// What was added at the end, if nothing else was done.
    func added(in list: [Member]) -> ArraySlice<Member>? {
        holds(list) ? list[initialCount...] : nil
    }

    /// Which models are to be exchanged for which; in each place, as the beginning and the end of both lists agree.
    /// - Returns: `nil` where most of the list is another one.
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

    /// Whether both are one array in memory, so that neither can have been changed without the other.
    private func holds(_ list: [Member]) -> Bool {
        list.count == held.count
            && list.withUnsafeBufferPointer { one in held.withUnsafeBufferPointer { one.baseAddress == $0.baseAddress }
            }
    }

    /// Changes a list by adding at its end; followed where a trace has the list.
    static func add(to list: inout [Member], _ addition: (inout [Member]) -> Void) {
        guard let trace = CurrentTraces.first(where: { ($0 as? ListTrace)?.holds(list) == true }) as? ListTrace else {
            return addition(&list)
        }
        // The list is now held where it is changed alone, so that it grows in place.
        trace.held = []
        addition(&list)
        trace.held = list
    }
}

/// The lists that are edited on this thread, the last one first.
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

    /// One that a task ended on another thread than it began on is left out here and dropped there, later.
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
