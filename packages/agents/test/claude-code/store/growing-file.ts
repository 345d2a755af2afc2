import { isTreelogError } from "@treelog/session-core"
import { nodeFs } from "@treelog-internal/fs"
import { expect } from "vitest"
import { convertFile } from "../../door.js"

type Conversion = Awaited<ReturnType<typeof convertFile>>
type Checkpoint = NonNullable<Parameters<typeof convertFile>[2]>

/** A file that is converted whenever it has changed: from where the last conversion stopped, and from its start to compare. */
export class GrowingFile {
  readonly #path: string
  readonly #open: number
  #lines: string[] = []
  #from: Checkpoint | undefined
  /** How often a conversion went on. */
  resumed = 0

  /** @param open bytes at the end of the file that are converted again each time */
  constructor(path: string, open: number) {
    this.#path = path
    this.#open = open
  }

  /** @param hasGrown whether it was appended to, or cut: who goes on looks at its ends alone */
  async convert(hasGrown = true): Promise<void> {
    if (!hasGrown) this.#from = undefined
    const whole = await this.#convert()
    const now = await this.#convert(this.#from)
    if (whole instanceof Error || now instanceof Error) {
      expect(String(now)).toBe(String(whole))
      this.#from = undefined
      return
    }
    if (now.conversion.goesOn) {
      this.resumed += 1
      this.#lines = [...this.#lines.slice(0, (this.#from?.entries ?? 0) + 1), ...now.lines.slice(1)]
      // Where what is noted beside the file makes another header, no conversion goes on.
      expect(now.lines[0]).toBe(this.#lines[0])
    } else this.#lines = now.lines
    expect(this.#lines).toEqual(whole.lines)
    const { checkpoint, goesOn } = now.conversion
    const state = checkpoint && JSON.parse(JSON.stringify({ entries: checkpoint.entries, state: checkpoint.state() }))
    this.#from = state ?? (goesOn ? this.#from : undefined)
  }

  async #convert(from?: Checkpoint): Promise<{ conversion: Conversion; lines: string[] } | Error> {
    try {
      const conversion = await convertFile(nodeFs, this.#path, from, this.#open)
      const lines = [conversion.header, ...conversion.entries].map((line) => JSON.stringify(line))
      return { conversion, lines }
    } catch (error) {
      if (isTreelogError(error)) return error
      throw error
    }
  }
}
