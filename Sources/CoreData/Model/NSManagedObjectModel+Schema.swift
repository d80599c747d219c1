import Foundation
import ObjectGraph

/// Models of SwiftData's classes, for programs that use both frameworks on one store.
///
/// Neither module imports the other, so the parameter types are wider than Apple's, and unsuitable types are detected at run time.
extension NSManagedObjectModel {
    /// Returns the model that SwiftData makes of model classes.
    /// - Parameters:
    ///   - types: classes with `@Model`, such as `[Trip.self, Person.self]`. Destinations of their relationships are included.
    ///   - managedObjectModel: a model whose entities are added.
    /// - Returns: `nil` for types that are not models, for an invalid schema, and if two entities with the same name differ;
    ///   the reason is logged.
    public static func makeManagedObjectModel(
        for types: [Any.Type], mergedWith managedObjectModel: NSManagedObjectModel? = nil
    ) -> NSManagedObjectModel? {
        let schema = NSClassFromString("SwiftData.Schema") as? any ModelSource.Type
        guard let source = schema?.source(of: types) else {
            CoreDataLog.logger.error("Not all of these are SwiftData models: \(types). Pass classes with @Model.")
            return nil
        }
        return model(of: source, mergedWith: managedObjectModel)
    }

    /// Returns the model of a SwiftData schema.
    /// - Parameters:
    ///   - schema: a `Schema`.
    ///   - managedObjectModel: a model whose entities are added.
    /// - Returns: `nil` for an invalid schema, and if two entities with the same name differ; the reason is logged.
    public static func makeManagedObjectModel(
        for schema: AnyObject, mergedWith managedObjectModel: NSManagedObjectModel? = nil
    ) -> NSManagedObjectModel? {
        guard let source = schema as? any ModelSource else {
            CoreDataLog.logger.error("\(type(of: schema)) is no SwiftData schema; pass a Schema.")
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
            CoreDataLog.logger.error("No model can be made of the schema. \(error)")
            return nil
        }
    }
}
