import type { Random } from "./random.js"
import type { WholeShape } from "./session-shape.js"

const TITLE_BYTES = 256

/** The lines in front of the entries, as each writer makes them: omp's title slot and the header. */
export function formatHeader(random: Random, { style, cwd, start }: WholeShape): string[] {
  const timestamp = new Date(start).toISOString()
  const before = { type: "session", id: sessionId(random, start), timestamp, cwd }
  const settings = { provider: "anthropic", modelId: "claude-sonnet-4-5", thinkingLevel: "off" }
  if (style === "pi-v1") return [line({ ...before, ...settings })]
  if (style === "pi-migrated") return [line({ ...before, ...settings, version: 3 })]
  const { type, ...rest } = before
  const header = line({ type, version: 3, ...rest })
  return style === "omp" ? [titleSlot("Checkout: 折扣码", timestamp), header] : [header]
}

/** omp's title line: 256 bytes with its line end, so that it can be rewritten in place. */
function titleSlot(title: string, updatedAt: string): string {
  const slot = (pad: string): string => line({ type: "title", v: 1, title, source: "auto", updatedAt, pad })
  return slot(" ".repeat(TITLE_BYTES - Buffer.byteLength(slot(""))))
}

/** A UUIDv7 of that time. */
function sessionId(random: Random, time: number): string {
  const millis = time.toString(16).padStart(12, "0")
  const digits = `${millis}7${random.hex(3)}${random.pick(["8", "9", "a", "b"])}${random.hex(15)}`
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`
}
