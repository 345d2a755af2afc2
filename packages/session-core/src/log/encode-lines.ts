import { encodeText } from "./format-line.js"

const LF = 0x0a
const LINE_END = /* @__PURE__ */ Uint8Array.of(LF)

/** Encoding many short lines together costs less than encoding each. In units of strings. */
const SHORT = 512
const TOGETHER = 16 * 1024

/** A unit of a string takes at most so many bytes: with room for the worst case, a text is gone over only once. */
const UNIT_BYTES = 3
/** Rooms grow with what comes, so that a few lines do not take much. Bytes. */
const FIRST_ROOM = 64 * 1024
const LARGEST_ROOM = 1024 * 1024

const encoder = /* @__PURE__ */ new TextEncoder()

/** Lines as bytes. */
export interface EncodedLines {
  /** All lines, one after the other. */
  readonly pieces: readonly Uint8Array[]
  /** Bytes of each line, LF included. */
  readonly lengths: readonly number[]
}

/**
 * Encodes lines as they come, so that their texts can be let go at once: of many lines a few arrays of bytes are kept, which
 * no garbage collector has to look into or to move.
 */
export class LineEncoder {
  readonly #pieces: Uint8Array[] = []
  readonly #lengths: number[] = []
  /** Short lines that are not encoded yet, or the first line, which may stay alone. They stand behind all that are encoded. */
  #held: string[] = []
  #heldSize = 0
  #room = new Uint8Array()
  #used = 0

  /** @param text a line without its LF. It holds no other LF and no lone surrogate: as JSON has it. */
  add(text: string): void {
    const isFirst = this.#held.length === 0 && this.#lengths.length === 0
    if (text.length > SHORT && !isFirst) {
      this.#encodeHeld()
      this.#lengths.push(this.#encode(text))
      return
    }
    if (this.#heldSize + text.length > TOGETHER) this.#encodeHeld()
    this.#held.push(text)
    this.#heldSize += text.length
  }

  /** All that was added. Nothing is added after that. */
  finish(): EncodedLines {
    if (this.#lengths.length === 0) this.#encodeFew()
    else this.#encodeHeld()
    this.#closeRoom()
    return { pieces: this.#pieces, lengths: this.#lengths }
  }

  /** All that was added, when that is one line or a few short ones: they take no more room than they need. */
  #encodeFew(): void {
    if (this.#held.length === 0) return
    const bytes = encodeText(`${this.#held.join("\n")}\n`)
    this.#pieces.push(bytes)
    this.#measureHeld(bytes)
  }

  #encodeHeld(): void {
    const [first] = this.#held
    if (first === undefined) return
    if (this.#held.length === 1) {
      this.#lengths.push(this.#encode(first))
      this.#letGo()
      return
    }
    const length = this.#encode(this.#held.join("\n"))
    this.#measureHeld(this.#room.subarray(this.#used - length, this.#used))
  }

  /** Notes the lengths of the lines that were held, and are these bytes now. */
  #measureHeld(bytes: Uint8Array): void {
    const isAscii = bytes.length === this.#heldSize + this.#held.length
    if (isAscii) for (const text of this.#held) this.#lengths.push(text.length + 1)
    else for (const length of lineLengths(bytes)) this.#lengths.push(length)
    this.#letGo()
  }

  #letGo(): void {
    this.#held = []
    this.#heldSize = 0
  }

  /** Encodes a text and an LF, and returns how many bytes that are. */
  #encode(text: string): number {
    const most = text.length * UNIT_BYTES + 1
    if (most > LARGEST_ROOM) return this.#encodeAlone(text)
    if (most > this.#room.length - this.#used) this.#openRoom(most)
    const { written } = encoder.encodeInto(text, this.#room.subarray(this.#used))
    this.#room[this.#used + written] = LF
    this.#used += written + 1
    return written + 1
  }

  #encodeAlone(text: string): number {
    const bytes = encodeText(text)
    this.#closeRoom()
    this.#pieces.push(bytes, LINE_END)
    return bytes.length + 1
  }

  #openRoom(least: number): void {
    const next = Math.min(Math.max(FIRST_ROOM, this.#room.length * 2), LARGEST_ROOM)
    this.#closeRoom()
    this.#room = new Uint8Array(Math.max(next, least))
  }

  /** What is left of the room is still used, behind what is in it. */
  #closeRoom(): void {
    if (this.#used === 0) return
    this.#pieces.push(this.#room.subarray(0, this.#used))
    this.#room = this.#room.subarray(this.#used)
    this.#used = 0
  }
}

function* lineLengths(bytes: Uint8Array): Generator<number> {
  let from = 0
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, from)) {
    yield at + 1 - from
    from = at + 1
  }
}
