import ObjectGraph

/// An aggregate without its types.
struct AggregateTerm {
    let function: AggregateFunction
    let keyPath: AnyKeyPath
    let numbers: AggregateNumbers
}
