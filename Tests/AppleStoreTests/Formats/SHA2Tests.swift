import ObjectGraph
import Testing

@Suite("SHA-2")
struct SHA2Tests {
    @Test(
        "SHA-256 gives the published digests",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000),
                "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
            ),
        ])
    func sha256(message: String, digest: String) {
        #expect(hex(SHA2.sha256(Array(message.utf8))) == digest)
    }

    @Test(
        "SHA-512 gives the published digests",
        arguments: [
            (
                "",
                "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                    + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
            ),
            (
                "abc",
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                    + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
                    + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
            ),
        ])
    func sha512(message: String, digest: String) {
        #expect(hex(SHA2.sha512(Array(message.utf8))) == digest)
    }

    @Test("Messages around the block sizes are padded correctly")
    func blockBoundaries() {
        // Digests of all the digests of 0 to 259 bytes of value 0x61, made with another implementation.
        let lengths = 0..<260
        let all256 = lengths.flatMap { SHA2.sha256(Array(repeating: 0x61, count: $0)) }
        let all512 = lengths.flatMap { SHA2.sha512(Array(repeating: 0x61, count: $0)) }
        #expect(hex(SHA2.sha256(all256)) == "2f2d4000d5f75fc70a1cdd5c05c8a31ebc4de4b8444cd3726892cf8b1d5a0fc2")
        #expect(hex(SHA2.sha256(all512)) == "2a5b8a6cfc8e078288c4c3689f668b2b5b6c0f1f1ef8eaea9e32e789df1889bb")
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
