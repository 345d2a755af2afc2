import { linkSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { dataFile } from "./data/data-file.js"
import type { Case, Stop } from "./question.js"

/** The folder of one case, with its data and what it prepared. It goes when the case is done. */
export class CaseFolder {
  readonly path: string
  readonly #caseName: string
  /** The kept files that it has under names of its own, and how they were. */
  readonly #kept = new Map<string, string>()

  #started: Stop | undefined

  private constructor(path: string, caseName: string) {
    this.path = path
    this.#caseName = caseName
    // A run that is stopped leaves nothing behind.
    process.on("exit", this.#removeNow)
  }

  static async make({ name, data = {}, prepare }: Case): Promise<CaseFolder> {
    const folder = new CaseFolder(mkdtempSync(join(tmpdir(), "treelog-bench-")), name)
    try {
      for (const [fileName, recipe] of Object.entries(data)) {
        const kept = await dataFile(recipe)
        linkSync(kept, join(folder.path, fileName))
        folder.#kept.set(kept, stateOf(kept))
      }
      folder.#started = (await prepare?.(folder.path)) ?? undefined
      return folder
    } catch (error) {
      await folder.remove()
      throw error
    }
  }

  /** @throws Error when a kept file was written to */
  assertUnchanged(): void {
    if (this.#changed().length > 0)
      throw new Error(`${this.#caseName}: a contender changed the data that all share; it has to work on a copy.`)
  }

  /** Stops what the case started. Also removes kept files that were written to, so that they are made again. */
  async remove(): Promise<void> {
    await this.#started?.()
    process.off("exit", this.#removeNow)
    for (const kept of this.#changed()) rmSync(kept)
    this.#removeNow()
  }

  #changed(): string[] {
    return [...this.#kept].filter(([kept, state]) => stateOf(kept) !== state).map(([kept]) => kept)
  }

  readonly #removeNow = (): void => rmSync(this.path, { recursive: true, force: true })
}

function stateOf(path: string): string {
  const { size, mtimeNs } = statSync(path, { bigint: true })
  return `${size} ${mtimeNs}`
}
