/// Makes an actor a model actor: gives it a context of its own on the container it is created with, and an executor that
/// runs it with that context.
@attached(member, names: named(modelExecutor), named(modelContainer), named(init))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "SwiftDataMacros", type: "PersistentModelActorMacro")
