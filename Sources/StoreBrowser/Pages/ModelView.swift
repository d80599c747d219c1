import ModelText
import ObjectGraph
import StoreInspection

/// The model as a diagram.
struct ModelView: View {
    let model: Model
    let fileName: String
    let title = "Model"
    let place = Place.model

    var value: InspectedValue { ModelOutline.value(model) }

    /// With colours of its own, to be kept as a file.
    static func picture(_ model: Model, title: String) -> String { ModelDiagram(model, title: title).svg }

    func body(_ addresses: Addresses) -> Markup {
        let versions =
            model.versionIdentifiers.isEmpty ? "" : " · version \(model.versionIdentifiers.joined(separator: ", "))"
        let svg = ModelDiagram(model, title: fileName).embedded { addresses.rows($0) }
        return """
            <div class="head"><h1>Model<small>\(Amounts.count(model.entities.count, "entity", "entities"))\(versions)</small></h1>
            <div class="buttons"><button class="button" data-fit hidden aria-pressed="false">Fit</button><a class="button" href="\(addresses.picture)" download="model.svg">Save as SVG</a></div></div>
            <div class="scroll diagram" tabindex="0" aria-label="Diagram">\(Markup(trusted: svg))</div>
            """
    }
}
