import ObjectGraph
import Testing

@Suite("Uniform type identifiers")
struct UniformTypesTests {
    @Test("A type conforms to itself, to its declared supertypes, and to theirs")
    func conforming() {
        let pairs = [
            ("public.png", "public.png"), ("public.png", "public.image"), ("public.png", "public.data"),
            ("public.png", "public.item"), ("public.png", "public.content"), ("public.heic", "public.image"),
            ("com.adobe.pdf", "public.composite-content"), ("com.adobe.pdf", "public.content"),
            ("public.swift-source", "public.plain-text"), ("com.apple.application-bundle", "public.directory"),
            ("com.apple.application-bundle", "public.executable"), ("public.mpeg-4-audio", "public.movie"),
            ("com.apple.m4a-audio", "public.audio"), ("com.example.own", "com.example.own"),
        ]
        for (type, other) in pairs { #expect(UniformTypes.conforms(type, to: other), "\(type) to \(other)") }
    }

    @Test("CD51 Types that no system declares conform to nothing else, and no type to its subtypes")
    func notConforming() {
        let pairs = [
            ("public.image", "public.png"), ("public.item", "public.data"), ("public.png", "public.text"),
            ("com.example.own", "public.data"), ("dyn.ah62d4rv4ge8027pb", "public.item"), ("", "public.item"),
            ("public.png", ""),
        ]
        for (type, other) in pairs { #expect(!UniformTypes.conforms(type, to: other), "\(type) to \(other)") }
    }

    @Test("The case of ASCII letters is ignored")
    func cases() {
        #expect(UniformTypes.equal("Public.PNG", "public.png"))
        #expect(UniformTypes.conforms("PUBLIC.png", to: "Public.Image"))
        #expect(!UniformTypes.equal("com.example.é", "com.example.É"))
        #expect(!UniformTypes.equal("public.png", "public.pn"))
    }
}
