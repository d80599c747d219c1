extension UnsafePointer<CChar> {
    /// The type name of a bound pointer. SQLite compares its characters and keeps its address, so it must live forever,
    /// as a literal does.
    init(lasting name: StaticString) {
        self = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
