/// An error thrown by a merge policy. It is rethrown unchanged, whereas errors of the engine get codes.
struct PolicyRefusal: Error {
    let reason: any Error
}
