/// Declares, inside a model, lists of properties in each of which no two stored models may agree.
///
/// Saving a new model that agrees with a stored one updates the stored one. A class has one `#Unique`, with as many lists
/// as needed.
/// - Parameter constraints: One list of properties for each constraint.
@freestanding(declaration)
public macro Unique<T>(_ constraints: [PartialKeyPath<T>]...) =
    #externalMacro(module: "SwiftDataMacros", type: "UniqueConstraintsMacro") where T: PersistentModel

/// Declares, inside a model, one index of the store for each list of properties.
/// - Parameter indices: One list of properties for each index.
@freestanding(declaration)
public macro Index<T>(_ indices: [PartialKeyPath<T>]...) =
    #externalMacro(module: "SwiftDataMacros", type: "IndexMacro") where T: PersistentModel

/// Declares, inside a model, one index of the store for each argument, of the kind that the argument names.
/// - Parameter indices: One kind and list of properties for each index.
@freestanding(declaration)
public macro Index<T>(_ indices: Schema.Index<T>.Types<T>...) =
    #externalMacro(module: "SwiftDataMacros", type: "IndexMacro") where T: PersistentModel
