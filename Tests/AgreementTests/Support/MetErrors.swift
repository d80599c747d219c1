/// Errors after which a run continued.
final class MetErrors {
    private(set) var all: [any Error] = []

    func note(_ error: any Error) { all.append(error) }

    func take() -> [any Error] {
        defer { all = [] }
        return all
    }
}
