import CoreData
import Foundation
import Testing

final class Insect: NSManagedObject {
    @nonobjc public class func fetchRequest() -> NSFetchRequest<Insect> { NSFetchRequest<Insect>(entityName: "Animal") }
    @Managed var name: String?
}

@Suite("Requests whose type is inferred")
struct TypedRequestTests {
    @Test("CD9 A class's own fetchRequest() is preferred where no type is written")
    func ownRequest() throws {
        let request = Insect.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Insect.name, ascending: true)]
        let stack = try TestStack()
        let found = try stack.context.fetch(Insect.fetchRequest())
        #expect(found.map(\.name).isEmpty && request.entityName == "Animal")
        let general: NSFetchRequest<any NSFetchRequestResult> = Insect.fetchRequest()
        #expect(general.resultType == .managedObjectResultType)
    }
}
