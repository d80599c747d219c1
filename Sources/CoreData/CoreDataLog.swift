import Logging

enum CoreDataLog {
    /// The task's own, where a test reads what is logged.
    @TaskLocal static var logger = Logger(label: "CoreData")
}
