import Foundation

extension ResultsObserver where SectionTitle == Never {
    /// Creates an observer of the models of a descriptor.
    /// - Parameters:
    ///   - fetchDescriptor: The models to follow and their order.
    ///   - modelContext: The context whose models are the results.
    ///   - isolation: The actor on which observers are notified.
    /// - Throws: The errors of `ModelContext.fetch(_:)`.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, nil, in: modelContext, on: isolation)
    }

    /// Creates an observer of the models of a descriptor, in a new context.
    /// - Parameters:
    ///   - fetchDescriptor: The models to follow and their order.
    ///   - modelContainer: The container that a new context is made of.
    ///   - isolation: The actor on which observers are notified.
    /// - Throws: The errors of `ModelContext.fetch(_:)`.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, nil, in: ModelContext(modelContainer), on: isolation)
    }

    /// Creates an observer of the models that match a condition.
    /// - Parameters:
    ///   - filterBy: The condition; `nil` for all models.
    ///   - sortBy: The order; `nil` for the order of insertion.
    ///   - modelContext: The context whose models are the results.
    ///   - isolation: The actor on which observers are notified.
    /// - Throws: The errors of `ModelContext.fetch(_:)`.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(FetchDescriptor(filterBy, sortBy), nil, in: modelContext, on: isolation)
    }

    /// Creates an observer of the models that match a condition, in a new context.
    /// - Parameters:
    ///   - filterBy: The condition; `nil` for all models.
    ///   - sortBy: The order; `nil` for the order of insertion.
    ///   - modelContainer: The container that a new context is made of.
    ///   - isolation: The actor on which observers are notified.
    /// - Throws: The errors of `ModelContext.fetch(_:)`.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(FetchDescriptor(filterBy, sortBy), nil, in: ModelContext(modelContainer), on: isolation)
    }
}

extension ResultsObserver where SectionTitle == String {
    /// Creates an observer of the models of a descriptor, in sections by a text.
    /// - Parameters:
    ///   - fetchDescriptor: The models to follow and their order.
    ///   - sectionBy: The property by whose values the results are divided into sections.
    ///   - modelContext: The context whose models are the results.
    ///   - isolation: The actor on which observers are notified.
    /// - Throws: The errors of `ModelContext.fetch(_:)`.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
        sectionBy: KeyPath<Element, String>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, SectionKey(sectionBy), in: modelContext, on: isolation)
    }

    /// Creates an observer of the models of a descriptor, in sections by an optional text.
    /// - Parameters:
    ///   - fetchDescriptor: The models to follow and their order.
    ///   - sectionBy: The property by whose values the results are divided into sections.
    ///   - modelContext: The context whose models are the results.
    ///   - isolation: The actor on which observers are notified.
    /// - Throws: The errors of `ModelContext.fetch(_:)`.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
        sectionBy: KeyPath<Element, String?>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, SectionKey(sectionBy), in: modelContext, on: isolation)
    }

    /// Creates an observer of the models of a descriptor, in sections by a text, in a new context.
    /// - Parameters:
    ///   - fetchDescriptor: The models to follow and their order.
    ///   - sectionBy: The property by whose values the results are divided into sections.
    ///   - modelContainer: The container that a new context is made of.
    ///   - isolation: The actor on which observers are notified.
    /// - Throws: The errors of `ModelContext.fetch(_:)`.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
        sectionBy: KeyPath<Element, String>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, SectionKey(sectionBy), in: ModelContext(modelContainer), on: isolation)
    }

    /// Creates an observer of the models of a descriptor, in sections by an optional text, in a new context.
    /// - Parameters:
    ///   - fetchDescriptor: The models to follow and their order.
    ///   - sectionBy: The property by whose values the results are divided into sections.
    ///   - modelContainer: The container that a new context is made of.
    ///   - isolation: The actor on which observers are notified.
    /// - Throws: The errors of `ModelContext.fetch(_:)`.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
        sectionBy: KeyPath<Element, String?>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, SectionKey(sectionBy), in: ModelContext(modelContainer), on: isolation)
    }

    /// Creates an observer of the models that match a condition, in sections by a text.
    /// - Parameters:
    ///   - filterBy: The condition; `nil` for all models.
    ///   - sortBy: The order; `nil` for the order of insertion.
    ///   - sectionBy: The property by whose values the results are divided into sections.
    ///   - modelContext: The context whose models are the results.
    ///   - isolation: The actor on which observers are notified.
    /// - Throws: The errors of `ModelContext.fetch(_:)`.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(FetchDescriptor(filterBy, sortBy), SectionKey(sectionBy), in: modelContext, on: isolation)
    }

    /// Creates an observer of the models that match a condition, in sections by an optional text.
    /// - Parameters:
    ///   - filterBy: The condition; `nil` for all models.
    ///   - sortBy: The order; `nil` for the order of insertion.
    ///   - sectionBy: The property by whose values the results are divided into sections.
    ///   - modelContext: The context whose models are the results.
    ///   - isolation: The actor on which observers are notified.
    /// - Throws: The errors of `ModelContext.fetch(_:)`.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String?>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(FetchDescriptor(filterBy, sortBy), SectionKey(sectionBy), in: modelContext, on: isolation)
    }

    /// Creates an observer of the models that match a condition, in sections by a text, in a new context.
    /// - Parameters:
    ///   - filterBy: The condition; `nil` for all models.
    ///   - sortBy: The order; `nil` for the order of insertion.
    ///   - sectionBy: The property by whose values the results are divided into sections.
    ///   - modelContainer: The container that a new context is made of.
    ///   - isolation: The actor on which observers are notified.
    /// - Throws: The errors of `ModelContext.fetch(_:)`.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            FetchDescriptor(filterBy, sortBy), SectionKey(sectionBy), in: ModelContext(modelContainer), on: isolation)
    }

    /// Creates an observer of the models that match a condition, in sections by an optional text, in a new context.
    /// - Parameters:
    ///   - filterBy: The condition; `nil` for all models.
    ///   - sortBy: The order; `nil` for the order of insertion.
    ///   - sectionBy: The property by whose values the results are divided into sections.
    ///   - modelContainer: The container that a new context is made of.
    ///   - isolation: The actor on which observers are notified.
    /// - Throws: The errors of `ModelContext.fetch(_:)`.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String?>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            FetchDescriptor(filterBy, sortBy), SectionKey(sectionBy), in: ModelContext(modelContainer), on: isolation)
    }
}
