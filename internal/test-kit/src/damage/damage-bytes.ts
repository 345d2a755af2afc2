import type { Random } from "../generator/index.js"

/** A damaged copy, and where the damage is in the original: `[from, to)` in bytes. */
export interface Damage {
  readonly kind: string
  readonly bytes: Uint8Array
  readonly from: number
  readonly to: number
}

type Edit = { readonly from: number; readonly to: number; readonly bytes: Uint8Array }
type Damager = (bytes: Uint8Array, random: Random) => Edit

const LF = 0x0a
const encoder = new TextEncoder()

/** The kinds of damage. */
const DAMAGERS: Readonly<Record<string, Damager>> = {
  "flipped byte": (bytes, random) => {
    const at = random.between(0, bytes.length - 1)
    return { from: at, to: at + 1, bytes: Uint8Array.of((bytes[at] ?? 0) ^ (1 << random.between(0, 7))) }
  },
  "cut out piece": (bytes, random) => {
    const from = random.between(0, bytes.length - 1)
    return { from, to: Math.min(bytes.length, from + random.between(1, 400)), bytes: new Uint8Array() }
  },
  "torn end": (bytes, random) => ({
    from: random.between(0, bytes.length - 1),
    to: bytes.length,
    bytes: new Uint8Array(),
  }),
  "glued lines": (bytes, random) => {
    const at = lineEnd(bytes, random)
    return { from: at, to: at + 1, bytes: new Uint8Array() }
  },
  "run of NULs": (bytes, random) => {
    const at = random.between(0, bytes.length - 1)
    return { from: at, to: at, bytes: new Uint8Array(random.between(1, 600)) }
  },
  "deep nesting": (bytes, random) =>
    insertedLine(bytes, random, `{"type":"custom","data":${"[".repeat(random.between(10, 20_000))}`),
  "huge number": (bytes, random) =>
    insertedLine(bytes, random, `{"type":"custom","id":1e999,"parentId":-1e400,"timestamp":9}`),
  "lone surrogate": (bytes, random) =>
    insertedLine(bytes, random, `{"type":"custom","id":"\\ud800","parentId":"\\udc00","timestamp":""}`),
  "prototype key": (bytes, random) =>
    insertedLine(
      bytes,
      random,
      `{"__proto__":{"type":"message"},"type":"__proto__","id":"__proto__","parentId":"constructor","timestamp":"x"}`,
    ),
  "foreign line": (bytes, random) => insertedLine(bytes, random, `${random.between(0, 9)} this is no session\r`),
  "doubled line": (bytes, random) => {
    const at = lineEnd(bytes, random) + 1
    const end = bytes.indexOf(LF, at)
    return { from: at, to: at, bytes: bytes.slice(at, end === -1 ? bytes.length : end + 1) }
  },
}

/** Damages a copy of the bytes once, by a random kind of damage. */
export function damageBytes(bytes: Uint8Array, random: Random): Damage {
  const [kind, damager] = random.pick(Object.entries(DAMAGERS))
  const edit = damager(bytes, random)
  return {
    kind,
    from: edit.from,
    to: edit.to,
    bytes: Buffer.concat([bytes.subarray(0, edit.from), edit.bytes, bytes.subarray(edit.to)]),
  }
}

/** The index of a line end, chosen at random: of the one that follows a random place. */
function lineEnd(bytes: Uint8Array, random: Random): number {
  const at = bytes.indexOf(LF, random.between(0, bytes.length - 1))
  return at === -1 ? bytes.length - 1 : at
}

function insertedLine(bytes: Uint8Array, random: Random, line: string): Edit {
  const at = lineEnd(bytes, random) + 1
  return { from: at, to: at, bytes: encoder.encode(`${line}\n`) }
}
