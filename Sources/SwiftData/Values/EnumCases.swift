import ObjectGraph

/// The cases of an enum that is known only at run time.
enum EnumCases {
    /// Empty if the cases cannot be determined: for cases with payloads, or a type that is not an enum.
    static func all<E>(of type: E.Type) -> [E] {
        if let iterable = type as? any CaseIterable.Type { return allCases(iterable).compactMap { $0 as? E } }
        guard let names = TypeReflection.cases(of: type), names.withPayload.isEmpty else { return [] }
        return names.plain.indices.compactMap { plainCase($0, of: type) }
    }

    /// The case with this number, of an enum without payloads.
    static func plainCase<E>(_ index: Int, of type: E.Type) -> E? {
        guard let names = TypeReflection.cases(of: type), names.withPayload.isEmpty,
            names.plain.indices.contains(index)
        else { return nil }
        // An enum of up to 256 cases without payload is one byte, the case's number; a single case takes no memory.
        switch MemoryLayout<E>.size {
        case 0: return unsafeBitCast((), to: E.self)
        case 1: return UInt8(exactly: index).map { unsafeBitCast($0, to: E.self) }
        default: return nil
        }
    }

    static func first<E>(of type: E.Type) -> E? {
        (type as? any CaseIterable.Type).flatMap { allCases($0).first as? E } ?? plainCase(0, of: type)
    }

    private static func allCases<C: CaseIterable>(_ type: C.Type) -> [Any] { type.allCases.map { $0 } }

    /// Whether the value of a key path is the raw value. A key path written for one enum is not equal to one written
    /// generically, so it is evaluated for every case.
    static func isRawValue(_ keyPath: AnyKeyPath, of type: any Any.Type) -> Bool {
        guard let type = type as? any RawRepresentable.Type else { return false }
        func open<E: RawRepresentable>(_ type: E.Type) -> Bool {
            guard let keyPath = keyPath as? KeyPath<E, E.RawValue> else { return false }
            let cases = all(of: type)
            return !cases.isEmpty && cases.allSatisfy { isSame($0[keyPath: keyPath], $0.rawValue) }
        }
        return open(type)
    }

    private static func isSame<V>(_ a: V, _ b: V) -> Bool {
        guard let a = a as? any ScalarValue, let b = b as? any ScalarValue else { return false }
        return a.slotValue == b.slotValue
    }
}
