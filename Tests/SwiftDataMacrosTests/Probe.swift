import Testing
@Suite struct Probe { @Test func p() {
  print(problems(in: "@Model struct A { }", Macros.model))
  print(expansion(of: "@Model public class A { var a: Int = 1\n#if X\nvar b: Int?\n#endif\n init() {} }", Macros.model))
  print(expansion(of: "@Model class B: A { var a: Int = 1\n init() {} }", Macros.submodel))
  print(expansion(of: "class B { @_PersistedProperty var a: Int = 1 { didSet { print(oldValue)\n return } }\n@_ModelInitializer init(x: Int) {\n if x == 3 { return }\n a = 3\n} }", Macros.property.merging(Macros.initializer) { $1 }))
} }
