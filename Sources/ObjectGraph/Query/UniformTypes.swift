/// Uniform type identifiers declared by the system, with their conformances.
///
/// The table follows Apple's public lists: "System-Declared Uniform Type Identifiers", and the pages of the members of
/// `UTType`. Types declared by programs are unknown, as no registry collects their declarations; like every unknown
/// type, they conform only to themselves.
package enum UniformTypes {
    /// Compares identifiers without the case of ASCII letters.
    package static func equal(_ a: String, _ b: String) -> Bool {
        let (a, b) = (a.utf8, b.utf8)
        return a.count == b.count && zip(a, b).allSatisfy { lowercase($0) == lowercase($1) }
    }

    /// Whether a type equals the other one, or conforms to it directly or indirectly.
    package static func conforms(_ identifier: String, to other: String) -> Bool {
        if equal(identifier, other) { return true }
        return ancestors[folded(identifier)]?.contains(folded(other)) ?? false
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    private static func folded(_ identifier: String) -> String {
        String(decoding: identifier.utf8.map(lowercase), as: UTF8.self)
    }

    // MARK: The table

    /// All direct and indirect conformances, by type.
    private static let ancestors: [String: Set<String>] = {
        var ancestors: [String: Set<String>] = [:]
        // Each type follows those that it conforms to.
        for line in declarations.split(separator: "\n") {
            let words = line.split(separator: " ").map { folded(String($0)) }
            guard let identifier = words.first else { continue }
            let direct = words.dropFirst()
            ancestors[identifier] = direct.reduce(into: Set(direct)) { $0.formUnion(ancestors[$1] ?? []) }
        }
        return ancestors
    }()

    /// One type in each line, followed by its direct conformances.
    private static let declarations = """
        public.data public.item
        public.directory public.item
        public.symlink public.item com.apple.resolvable
        com.apple.mount-point public.item com.apple.resolvable
        public.executable public.item
        public.composite-content public.content
        public.presentation public.composite-content
        public.spreadsheet public.content
        public.3d-content public.content
        public.disk-image public.archive
        com.apple.alias-file public.data com.apple.resolvable
        com.apple.alias-record public.data com.apple.resolvable
        com.apple.bookmark public.data com.apple.resolvable
        public.url public.data
        public.file-url public.url
        public.x509-certificate public.data
        com.rsa.pkcs-12 public.data
        com.apple.internet-location public.data
        com.apple.web-internet-location com.apple.internet-location
        com.microsoft.internet-shortcut public.data
        public.text public.data public.content
        public.plain-text public.text
        public.utf8-plain-text public.plain-text
        public.utf16-plain-text public.plain-text
        public.utf16-external-plain-text public.plain-text
        com.apple.traditional-mac-plain-text public.plain-text
        public.rtf public.text
        public.html public.text
        public.xml public.text
        public.json public.text
        public.geojson public.json
        public.yaml public.text
        public.css public.text
        public.delimited-values-text public.text
        public.comma-separated-values-text public.delimited-values-text
        public.tab-separated-values-text public.delimited-values-text
        public.utf8-tab-separated-values-text public.tab-separated-values-text public.utf8-plain-text
        com.apple.property-list public.data
        com.apple.xml-property-list com.apple.property-list public.xml
        com.apple.binary-property-list com.apple.property-list
        public.vcard public.text public.contact
        com.apple.ical.ics public.text public.calendar-event
        public.email-message public.message
        public.source-code public.plain-text
        public.assembly-source public.source-code
        public.c-source public.source-code
        public.c-header public.source-code
        public.c-plus-plus-source public.source-code
        public.c-plus-plus-header public.source-code
        public.objective-c-source public.source-code
        public.objective-c-plus-plus-source public.source-code
        public.swift-source public.source-code
        com.sun.java-source public.source-code
        public.script public.source-code
        public.shell-script public.script
        public.csh-script public.shell-script
        public.perl-script public.shell-script
        public.python-script public.shell-script
        public.ruby-script public.shell-script
        public.php-script public.shell-script
        com.netscape.javascript-source public.source-code public.executable
        com.apple.applescript.text public.script
        com.apple.applescript.script public.data public.script
        public.image public.data public.content
        public.jpeg public.image
        public.jpeg-2000 public.image
        public.tiff public.image
        public.png public.image
        public.svg-image public.image
        public.heif-standard public.image
        public.heif public.heif-standard
        public.heic public.heif-standard
        public.heics public.heif-standard
        public.camera-raw-image public.image
        com.adobe.raw-image public.camera-raw-image
        public.fax public.image
        public.xbitmap-image public.image
        com.compuserve.gif public.image
        org.webmproject.webp public.image
        com.microsoft.bmp public.image
        com.microsoft.ico public.image
        com.apple.icns public.image
        com.apple.pict public.image
        com.apple.macpaint-image public.image
        com.apple.quicktime-image public.image
        com.adobe.photoshop-image public.image
        com.adobe.illustrator.ai-image public.image
        com.truevision.tga-image public.image
        com.sgi.sgi-image public.image
        com.ilm.openexr-image public.image
        com.kodak.flashpix-image public.image
        com.pixar.universal-scene-description public.data public.3d-content
        com.pixar.universal-scene-description-mobile com.pixar.universal-scene-description
        public.audiovisual-content public.data public.content
        public.movie public.audiovisual-content
        public.video public.movie
        public.audio public.audiovisual-content
        com.apple.quicktime-movie public.movie
        public.avi public.movie
        public.mpeg public.movie
        public.mpeg-2-video public.video
        public.mpeg-2-transport-stream public.movie
        public.mpeg-4 public.movie
        public.3gpp public.movie
        public.3gpp2 public.movie
        public.mpeg-4-audio public.mpeg-4 public.audio
        com.apple.m4a-audio public.mpeg-4-audio
        com.apple.protected-mpeg-4-audio public.audio
        public.mp3 public.audio
        public.aifc-audio public.audio
        public.aiff-audio public.aifc-audio
        public.midi-audio public.audio
        public.ulaw-audio public.audio
        com.microsoft.waveform-audio public.audio
        com.digidesign.sd2-audio public.audio
        public.m3u-playlist public.text public.playlist
        com.adobe.pdf public.data public.composite-content
        com.apple.webarchive public.data public.composite-content
        com.apple.flat-rtfd public.data public.composite-content
        com.apple.txn.text-multimedia-data public.data public.composite-content
        public.folder public.directory
        public.volume public.folder
        com.apple.package public.directory
        com.apple.bundle public.directory
        com.apple.rtfd com.apple.package public.composite-content
        com.apple.framework com.apple.bundle
        com.apple.plugin com.apple.bundle com.apple.package
        com.apple.application public.executable
        com.apple.application-file com.apple.application public.data
        com.apple.application-bundle com.apple.application com.apple.bundle com.apple.package
        com.apple.systempreference.prefpane com.apple.package com.apple.bundle
        public.unix-executable public.data public.executable
        com.microsoft.windows-executable public.data public.executable
        com.microsoft.word.doc public.data
        com.microsoft.excel.xls public.data
        com.microsoft.powerpoint.ppt public.data public.presentation
        com.apple.keynote.key com.apple.package public.presentation
        com.apple.archive public.data public.archive
        public.zip-archive public.data public.archive
        public.bzip2-archive public.data public.archive
        public.tar-archive public.data public.archive
        org.gnu.gnu-zip-archive public.data public.archive
        org.gnu.gnu-zip-tar-archive org.gnu.gnu-zip-archive
        com.apple.macbinary-archive public.data public.archive
        com.allume.stuffit-archive public.data public.archive
        """
}
