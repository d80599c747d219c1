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

    /// A standalone SVG file with its own colours.
    static func picture(_ model: Model, title: String) -> String { ModelDiagram(model, title: title).svg }

    /// Placed above the diagram so that it is always visible.
    private static let legend: Markup = """
        <ul class="legend" aria-label="What the lines mean"><li><i class="stroke cascade"></i>cascade: its destinations \
        are deleted too</li><li><i class="stroke deny"></i>deny: refuses the delete while it has a destination</li><li><i \
        class="stroke nullify"></i>nullify</li><li><i class="stroke inherits"></i>inherits from</li><li># unique</li></ul>
        """

    func body(_ addresses: Addresses) -> Markup {
        let versions =
            model.versionIdentifiers.isEmpty ? "" : " · version \(model.versionIdentifiers.joined(separator: ", "))"
        let svg = ModelDiagram(model, title: fileName).embedded { addresses.rows($0) }
        return """
            <div class="head"><h1>Model<small>\(Amounts.count(model.entities.count, "entity", "entities"))\(versions)</small></h1>
            <div class="buttons"><button class="button" data-fit hidden aria-pressed="true">Fit</button><a class="button" href="\(addresses.picture)" download="model.svg">Save as SVG</a></div></div>
            \(Self.legend)
            <div class="scroll diagram fit" role="region" tabindex="0" aria-label="Diagram">\(Markup(trusted: svg))</div>
            """
    }
}
