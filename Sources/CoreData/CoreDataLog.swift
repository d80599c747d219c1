import Logging

enum CoreDataLog {
    /// Task-local so that tests can read the log.
    @TaskLocal static var logger = Logger(label: "CoreData")
}
