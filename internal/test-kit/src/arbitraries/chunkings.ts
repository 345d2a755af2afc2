import fc from "fast-check"

/** Some bytes, cut at places of the generator's choice; empty chunks among them. */
export function chunkings(bytes: Uint8Array): fc.Arbitrary<Uint8Array[]> {
  return fc.array(fc.nat(bytes.length), { maxLength: 12 }).map((cuts) => {
    const places = [0, ...cuts.sort((a, b) => a - b), bytes.length]
    return places.slice(1).map((to, index) => bytes.subarray(places[index], to))
  })
}
