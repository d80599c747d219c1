import Foundation

/// Requests kept in the model.
extension NSManagedObjectModel {
    /// Keeps a copy of a request in the model under a name, or removes the request with the name.
    /// - Parameters:
    ///   - fetchRequestTemplate: the request; `nil` removes it.
    ///   - name: the name.
    public func setFetchRequestTemplate(
        _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
    ) {
        setTemplate(fetchRequestTemplate.map { ModelTemplate($0) }, forName: name)
    }

    /// Returns a copy of the request with a name, with its variables unchanged.
    /// - Parameter name: the name.
    /// - Returns: `nil` if there is no such request.
    public func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        templates[name]?.request(in: self)
    }

    /// Returns a copy of the request with a name, with values in place of the variables of its predicate.
    /// - Parameters:
    ///   - name: the name.
    ///   - variables: the values by the names of the variables.
    /// - Returns: `nil` if there is no such request.
    public func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        let request = templates[name]?.request(in: self)
        request?.predicate = request?.predicate?.withSubstitutionVariables(variables)
        return request
    }

    /// Copies of all requests of the model, by name.
    public var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
        templates.mapValues { $0.request(in: self) }
    }
}
