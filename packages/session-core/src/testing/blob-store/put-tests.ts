import { joinBytes } from "../../log/join-bytes.js"
import { equal } from "../assert.js"
import { bytes } from "../session-storage/bytes.js"
import { failingChunks, failsWithSource, largeChunks, laterChunks } from "../session-storage/chunks.js"
import { holds, listed, sha256, type Tests } from "./fixture.js"

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
    const fixture = bytes("original")
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
