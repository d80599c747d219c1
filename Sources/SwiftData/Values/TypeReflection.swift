@_spi(Reflection) import Swift

/// Facts that the Swift runtime has about a type and no protocol exposes: stored fields with their offsets, enum cases.
///
/// Apple's files name a composite's columns after the struct's stored properties, not after its coding keys, so neither
/// `Codable` nor `Mirror` (which needs an instance) suffices.
enum TypeReflection {
    struct Field: Sendable {
        let name: String
        let offset: Int
        let type: any Any.Type
    }

    enum Kind {
        case structure
        case enumeration
        case other
    }

    static func kind(of type: Any.Type) -> Kind {
        switch metadata(of: type).load(as: Int.self) {
        case 0x200: .structure
        case 0x201: .enumeration
        default: .other
        }
    }

    /// The stored fields of a class that its superclass does not have, in the order of declaration; `nil` if the runtime
    /// has no description of one of them.
    static func fields(of type: Any.Type, below superclass: Any.Type) -> [Field]? {
        guard let all = fields(of: type), let inherited = fields(of: superclass) else { return nil }
        return Array(all.dropFirst(inherited.count))
    }

    /// The stored fields in the order of declaration, inherited ones first; `nil` if the runtime has no description.
    static func fields(of type: Any.Type) -> [Field]? {
        var fields: [Field] = []
        let options: _EachFieldOptions = type is AnyClass ? classFields : []
        let isComplete = _forEachField(of: type, options: options) { name, offset, type, _ in
            fields.append(Field(name: String(cString: name), offset: offset, type: type))
            return true
        }
        return isComplete ? fields : nil
    }

    /// The names of an enum's cases; cases with payload first, as the runtime numbers them.
    static func cases(of type: Any.Type) -> (withPayload: [String], plain: [String])? {
        guard kind(of: type) == .enumeration else { return nil }
        let descriptor = metadata(of: type).load(fromByteOffset: 8, as: UnsafeRawPointer.self)
        guard let fields = relative(descriptor + 16) else { return nil }
        let count = fields.load(fromByteOffset: 12, as: UInt32.self)
        let size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
        var result: (withPayload: [String], plain: [String]) = ([], [])
        for index in 0..<Int(count) {
            // A field record: flags, type, name; the latter two relative, 0 for a case without payload.
            let record = fields + 16 + index * size
            guard let name = relative(record + 8) else { return nil }
            let text = String(cString: name.assumingMemoryBound(to: CChar.self))
            if relative(record + 4) == nil { result.plain.append(text) } else { result.withPayload.append(text) }
        }
        return result
    }

    /// The number of an enum value's case, in the order of `cases(of:)`; `nil` if the runtime does not expose it.
    static func caseNumber(of value: UnsafeRawPointer, _ type: Any.Type) -> Int? {
        guard let witness = enumWitness(0, of: type) else { return nil }
        return Int(unsafeBitCast(witness, to: CaseNumberWitness.self)(value, metadata(of: type)))
    }

    /// Initializes `memory` with a case without payload.
    /// - Returns: `false`, with `memory` unchanged, if the runtime cannot do it.
    static func initialize<Enum>(
        _ memory: UnsafeMutableRawPointer, toPlainCase number: Int, of type: Enum.Type
    ) -> Bool {
        guard let witness = enumWitness(2, of: type) else { return false }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<Enum>.size)
        unsafeBitCast(witness, to: InjectCaseWitness.self)(memory, UInt32(number), metadata(of: type))
        return true
    }

    private typealias CaseNumberWitness = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
    private typealias InjectCaseWitness = @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

    /// The functions of enum types: reading the number of the case, projecting the payload, injecting the number.
    private static func enumWitness(_ index: Int, of type: Any.Type) -> UnsafeRawPointer? {
        let word = MemoryLayout<Int>.size
        // The pointer to the table of functions is before the metadata. The table has the eight functions of every type;
        // size, stride, flags and another number with four bytes each; and the enum's functions.
        let table = metadata(of: type).load(fromByteOffset: -word, as: UnsafeRawPointer.self)
        let flags = table.load(fromByteOffset: 10 * word, as: UInt32.self)
        guard flags & hasEnumWitnesses != 0 else { return nil }
        return table.load(fromByteOffset: 10 * word + 8 + index * word, as: UnsafeRawPointer.self)
    }

    private static let hasEnumWitnesses: UInt32 = 0x0020_0000

    /// The superclass of a class, if that is a Swift class.
    static func superclass(of type: AnyClass) -> AnyClass? {
        #if canImport(Darwin)
        class_getSuperclass(type)
        #else
        // A class's metadata begins with its kind, then the superclass's metadata or null.
        unsafeBitCast(type, to: UnsafeRawPointer.self)
            .load(fromByteOffset: MemoryLayout<Int>.size, as: AnyClass?.self)
        #endif
    }

    /// `_EachFieldOptions.classType`, which is declared as a mutable static.
    private static let classFields = _EachFieldOptions(rawValue: 1)

    private static func metadata(of type: Any.Type) -> UnsafeRawPointer {
        unsafeBitCast(type, to: UnsafeRawPointer.self)
    }

    private static func relative(_ pointer: UnsafeRawPointer) -> UnsafeRawPointer? {
        let offset = pointer.load(as: Int32.self)
        return offset == 0 ? nil : pointer + Int(offset)
    }
}

/// Lets generic code recognize an optional type and unwrap it.
protocol OptionalType {
    static var wrappedType: any Any.Type { get }
    /// Whether a value of this optional type is nil.
    static func isNil<V>(_ value: V) -> Bool
}

extension Optional: OptionalType {
    static var wrappedType: any Any.Type { Wrapped.self }

    static func isNil<V>(_ value: V) -> Bool {
        guard let optional = value as? Wrapped? else { return false }
        return optional == nil
    }
}
