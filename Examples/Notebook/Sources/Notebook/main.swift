import CoreData
import Foundation

// The container finds the model in the resources of the program's targets.
let container = NSPersistentContainer(name: "Notebook")
let description = NSPersistentStoreDescription()
description.type = NSInMemoryStoreType
container.persistentStoreDescriptions = [description]
container.loadPersistentStores { _, error in
    if let error {
        print("No store: \(error)")
        exit(1)
    }
}

let context = container.viewContext
let note = Note(context: context)
note.title = "Shopping"
note.pages += 1
note.created = 60
for text in ["Bread", "Salt"] {
    let line = Line(context: context)
    line.text = text
    note.addToLines(line)
}
let tag = Tag(context: context)
tag.label = "Home"
note.addToTags(tag)
try context.save()

let request: NSFetchRequest<Note> = Note.fetchRequest()
for found in try context.fetch(request) {
    let lines = (found.lines?.array as? [Line] ?? []).compactMap(\.text)
    print(found.title, found.pages, found.created, lines, (found.tags as? Set<Tag>)?.compactMap(\.initial) ?? [])
}
