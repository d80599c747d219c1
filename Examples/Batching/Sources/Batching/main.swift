import CoreData
import Foundation

// Inserts a CSV file, updates and deletes rows with batch requests, and restores the deleted rows:
//
//     ./make-sightings > sightings.csv && swift run Batching sightings.csv
guard CommandLine.arguments.count == 2 else {
    print("usage: Batching FILE.csv    (./make-sightings > FILE.csv makes one)")
    exit(64)
}
do {
    let batching = try Batching()
    try batching.insert(String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8))
    try batching.update()
    try batching.link()
    try batching.delete()
} catch {
    print("Stopped: \(error)")
    exit(1)
}

struct Batching {
    let container: NSPersistentContainer
    var context: NSManagedObjectContext { container.viewContext }

    init() throws {
        guard let url = Bundle.module.url(forResource: "Sightings", withExtension: "xcdatamodeld"),
            let model = NSManagedObjectModel(contentsOf: url)
        else { throw CocoaError(.fileNoSuchFile) }
        container = NSPersistentContainer(name: "Sightings", managedObjectModel: model)
        let store = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: store)]
        var problem: (any Error)?
        container.loadPersistentStores { problem = problem ?? $1 }
        if let problem { throw problem }
        context.automaticallyMergesChangesFromParent = true
    }

    /// Inserts every line that describes a sighting directly into the store, without creating objects.
    func insert(_ text: String) throws {
        var lines = text.split(whereSeparator: \.isNewline).dropFirst()
        let (bar, total) = (ProgressBar("Inserting", of: lines.count), lines.count)
        var badCount = 0
        let request = NSBatchInsertRequest(entityName: "Sighting") { (row: NSMutableDictionary) in
            while let line = lines.popFirst() {
                bar.advance(to: total - lines.count)
                let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                if cells.count == 4, let count = Int32(cells[2]),
                    let day = try? Date(cells[3], strategy: .iso8601.year().month().day())
                {
                    (row["species"], row["place"]) = (cells[0], cells[1])
                    (row["count"], row["day"]) = (count, day)
                    return false
                }
                badCount += 1
            }
            return true
        }
        request.resultType = .count
        let result = try context.execute(request) as? NSBatchInsertResult
        bar.finish("\(result?.result ?? 0) rows" + (badCount > 0 ? "; \(badCount) lines could not be read" : ""))
    }

    /// Updates all rows with one statement, with an expression computed from each row.
    func update() throws {
        let bar = ProgressBar("Updating", of: 1)
        let request = NSBatchUpdateRequest(entityName: "Sighting")
        request.predicate = NSPredicate(format: "species BEGINSWITH[c] %@ AND count < %d", "o", 3)
        request.propertiesToUpdate = ["count": NSExpression(format: "count + 1")]
        request.resultType = .updatedObjectsCountResultType
        let result = try context.execute(request) as? NSBatchUpdateResult
        bar.finish("\(result?.result ?? 0) rows of owls and otters")
    }

    /// Sets relationships with objects, as batch requests cannot.
    func link() throws {
        let request: NSFetchRequest<Sighting> = Sighting.fetchRequest()
        request.predicate = NSPredicate(format: "place == %@", "Deer Park")
        request.fetchLimit = 5_000
        let sightings = try context.fetch(request)
        let bar = ProgressBar("Linking", of: sightings.count)
        let surveys = (1...10).map { _ in Survey(context: context) }
        for (place, sighting) in sightings.enumerated() {
            let survey = surveys[place % surveys.count]
            survey.name = "Survey \(place % surveys.count + 1)"
            sighting.survey = survey
            bar.advance(to: place)
        }
        try context.save()
        bar.finish("\(sightings.count) sightings with \(surveys.count) surveys")
    }

    /// Shows the effect of a delete, deletes, merges the result into memory, and restores the rows.
    func delete() throws {
        let surveys = NSFetchRequest<any NSFetchRequestResult>(entityName: "Survey")
        surveys.predicate = NSPredicate(format: "SUBQUERY(sightings, $s, $s.species == 'Lynx').@count > 30")
        let request = NSBatchDeleteRequest(fetchRequest: surveys)
        request.mergesIntoLiveContexts = true
        request.archivesRows = true
        print("\n\(try context.deletionPlan(for: request))\n")

        let all: NSFetchRequest<Survey> = Survey.fetchRequest()
        let held = try context.fetch(all)
        let bar = ProgressBar("Deleting", of: 1)
        let result = try context.execute(request) as? NSBatchDeleteResult
        let gone = held.filter(\.isDeleted).count
        bar.finish("\(try count("Sighting")) sightings left; \(gone) of \(held.count) surveys held know they are gone")

        try context.save()
        guard let token = result?.deletionToken else { return }
        let undo = ProgressBar("Undoing", of: 1)
        try container.persistentStoreCoordinator.restore(token)
        undo.finish("\(try count("Survey")) surveys and \(try count("Sighting")) sightings are there again")
    }

    private func count(_ entity: String) throws -> Int {
        try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
    }
}
