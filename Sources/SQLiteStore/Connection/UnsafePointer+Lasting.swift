extension UnsafePointer<CChar> {
    /// The name of the type that a bound pointer points to. SQLite compares its characters and keeps its address: it must
    /// last for ever, which a literal does.
    init(lasting name: StaticString) {
        self = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
