import Logging

enum CoreDataLog {
    static let logger = Logger(label: "CoreData")
}
