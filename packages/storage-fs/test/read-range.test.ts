import { describe, expect, it } from "vitest"
import { bytes, stored, storeIn } from "./store.js"

describe("a range", () => {
  it("is read into the room that is given, where it fits, and is the same bytes either way", async () => {
    const storage = await storeIn()
    const { key, lease } = await stored(storage, "0123456789")
    const room = new Uint8Array(16).fill(7)
    const inRoom = await storage.readRange(key, 2, 5, undefined, room.subarray(4, 12))
    expect(inRoom).toEqual(Buffer.from("23456"))
    expect(room).toEqual(Uint8Array.from([7, 7, 7, 7, ...bytes("23456"), 7, 7, 7, 7, 7, 7, 7]))
    const besideRoom = await storage.readRange(key, 2, 5, undefined, room.subarray(0, 4))
    expect(besideRoom).toEqual(Buffer.from("23456"))
    expect(room.subarray(0, 4)).toEqual(Uint8Array.of(7, 7, 7, 7))
    expect(await storage.readRange(key, 8, 5, undefined, room)).toEqual(Buffer.from("89"))
    await lease.release()
  })
})
