import { joinBytes } from "../../log/bytes.js"
import { equal, failsWith, ok, sharingSlices } from "../assert.js"
import { bytes, failingChunks, failsWithSource, largeChunks, laterChunks } from "../session-storage/samples.js"
import { type BlobFixture, holds, listed, NO_BLOB, sha256, streamed, type Tests } from "./fixture.js"

const NO_HASHES: Readonly<Record<string, string>> = {
  "nothing at all": "",
  "a path out of the folder": "../x",
  "a path out of the folder, as long as a hash": `${"../".repeat(21)}x`,
  "an absolute path": "/etc/passwd",
  "a reference": `blob:sha256:${NO_BLOB}`,
  "upper case": NO_BLOB.toUpperCase(),
  "a digit too few": NO_BLOB.slice(1),
  "a digit too many": `${NO_BLOB}0`,
  "a NUL": `${NO_BLOB.slice(1)}\0`,
  "a line end": `${NO_BLOB}\n`,
  "digits of another script": "٣".repeat(64),
  "a letter that is no digit": `${NO_BLOB.slice(1)}g`,
  "an extension": `${NO_BLOB}.png`,
}

export const hashTests: Tests = Object.fromEntries(
  Object.entries(NO_HASHES).map(([what, text]) => [
    `is not ${what}: every method refuses it`,
    async ({ store }: BlobFixture) => {
      await failsWith("InvalidArgumentError", store.get(text), "get")
      await failsWith("InvalidArgumentError", store.has(text), "has")
      await failsWith("InvalidArgumentError", store.size(text), "size")
      await failsWith("InvalidArgumentError", streamed(store, text), "openRead")
      equal(await listed(store), [], "what the store lists")
    },
  ]),
)

export const putTests: Tests = {
  "gives the SHA-256 of the bytes": async ({ store }) => {
    const ofAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    const ofNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    equal(await store.put(bytes("abc")), ofAbc, "the hash of abc")
    equal(await store.put(bytes("")), ofNothing, "the hash of no bytes")
    await holds(store, ofAbc, bytes("abc"))
    await holds(store, ofNothing, bytes(""))
  },

  "takes several megabytes": async ({ store }) => {
    const large = joinBytes(largeChunks())
    const hash = await store.put(large)
    equal(hash, await sha256(large), "the hash")
    await holds(store, hash, large)
  },

  "takes a stream, however it is cut, for the bytes that it gives": async ({ store }) => {
    equal(await store.put(laterChunks("a", "", "bc")), await sha256(bytes("abc")), "the hash of a, nothing, bc")
    equal(await store.put(laterChunks()), await sha256(bytes("")), "the hash of an empty stream")
    const hash = await store.put(inTurn(largeChunks()))
    await holds(store, hash, joinBytes(largeChunks()))
  },

  "takes a stream that uses one buffer for all its chunks": async ({ store }) => {
    const hash = await store.put(reusing(bytes("....."), "one", "two", "three"))
    await holds(store, hash, bytes("onetwothree"))
  },

  "stores the same bytes once": async ({ store }) => {
    const hash = await store.put(bytes("the same"))
    equal(await store.put(bytes("the same")), hash, "the second hash")
    equal(await store.put(laterChunks("the ", "same")), hash, "the third hash")
    equal(await listed(store).then((blobs) => blobs.map((blob) => blob.hash)), [hash], "the listed hashes")
    await holds(store, hash, bytes("the same"))
  },

  "stores the same bytes once when they come all at a time": async ({ store }) => {
    const puts = Array.from({ length: 16 }, (_, number) =>
      store.put(number % 2 === 0 ? bytes("the same") : laterChunks("the ", "same")),
    )
    const hashes = new Set(await Promise.all(puts))
    equal([...hashes], [await sha256(bytes("the same"))], "the hashes")
    equal((await listed(store)).length, 1, "the number of blobs")
  },

  "stores what comes at the same time apart": async ({ store }) => {
    const texts = Array.from({ length: 32 }, (_, number) => `blob ${number}`)
    const hashes = await Promise.all(texts.map((text) => store.put(bytes(text))))
    for (const [number, text] of texts.entries()) await holds(store, hashes[number] ?? "", bytes(text))
  },

  "keeps its own copy of the bytes, from the moment of the call": async ({ store }) => {
    const fixture = sharingSlices(bytes("original"))
    const putting = store.put(fixture)
    fixture.fill(0)
    const hash = await putting
    equal(hash, await sha256(bytes("original")), "the hash")
    await holds(store, hash, bytes("original"))
  },

  "stores nothing when the source of the chunks fails": async ({ store }) => {
    await failsWithSource(store.put(failingChunks()), "a put whose source fails")
    equal(await listed(store), [], "what the store lists")
  },
}

async function* inTurn(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield await Promise.resolve(chunk)
}

async function* reusing(buffer: Uint8Array, ...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    buffer.set(bytes(text))
    yield await Promise.resolve(buffer.subarray(0, text.length))
  }
}

export const listTests: Tests = {
  "is empty for a store that nothing was put into": async ({ store }) => {
    equal(await listed(store), [], "what the store lists")
  },

  "lists every blob with its size": async ({ store }) => {
    const expected = new Map<string, number>()
    for (const text of ["", "one", "three"]) expected.set(await store.put(bytes(text)), text.length)
    const sizes = (await listed(store)).map(({ hash, size }) => [hash, size])
    equal(sizes, [...expected].sort(), "the listed hashes and sizes")
  },

  "lists a time that putting again moves forward or keeps": async ({ store }) => {
    await store.put(bytes("one"))
    const first = (await listed(store))[0]?.modified ?? Number.NaN
    await store.put(bytes("one"))
    const second = (await listed(store))[0]?.modified ?? Number.NaN
    ok(second >= first && first > 0, `${second} is not before ${first}, and both are times`)
  },
}
