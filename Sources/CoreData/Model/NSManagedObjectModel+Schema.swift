import Foundation
import ObjectGraph

/// Models of SwiftData's classes, for programs that use both frameworks on one store.
///
/// Neither module imports the other, so the types here are wider than Apple's, and what is no model is found when the
/// program runs.
extension NSManagedObjectModel {
    /// The model that SwiftData makes of these classes.
    /// - Parameters:
    ///   - types: classes with `@Model`, such as `[Trip.self, Person.self]`. Those that relationships lead to come with them.
    ///   - managedObjectModel: entities that come with them, too.
    /// - Returns: `nil` for types that are no models, for a schema with a fault, and where two entities of one name differ; the
    ///   log says which.
    public static func makeManagedObjectModel(
        for types: [Any.Type], mergedWith managedObjectModel: NSManagedObjectModel? = nil
    ) -> NSManagedObjectModel? {
        let schema = NSClassFromString("SwiftData.Schema") as? any ModelSource.Type
        guard let source = schema?.source(of: types) else {
            CoreDataLog.logger.error("No SwiftData models: \(types).")
            return nil
        }
        return model(of: source, mergedWith: managedObjectModel)
    }

    /// The model of a SwiftData schema.
    /// - Parameters:
    ///   - schema: a `Schema`.
    ///   - managedObjectModel: entities that come with its own.
    /// - Returns: `nil` for a schema with a fault, and where two entities of one name differ; the log says which.
    public static func makeManagedObjectModel(
        for schema: AnyObject, mergedWith managedObjectModel: NSManagedObjectModel? = nil
    ) -> NSManagedObjectModel? {
        guard let source = schema as? any ModelSource else {
            CoreDataLog.logger.error("No SwiftData schema: \(type(of: schema)).")
            return nil
        }
        return model(of: source, mergedWith: managedObjectModel)
    }

    private static func model(
        of source: any ModelSource, mergedWith other: NSManagedObjectModel?
    ) -> NSManagedObjectModel? {
        do {
            let model = NSManagedObjectModel(try source.makeModel())
            return other.map { NSManagedObjectModel(byMerging: [model, $0]) } ?? model
        } catch {
            CoreDataLog.logger.error("The schema makes no model: \(error)")
            return nil
        }
    }
}
