import { dirname, join } from "node:path"
import { type FsPort, fileChunks, isErrno, makeFolder, TemporaryFiles, withStorageErrors } from "@treelog-internal/fs"
import { newToken } from "./lock/lock-file.js"
import type { OrphanRemover } from "./orphans.js"
import { tempName, writeTemp } from "./write/temp-file.js"

/** Notes the last session of this terminal: a file of two lines, the folder and the session (FORMAT.md, section 1). */
export class FileBreadcrumbs {
  readonly #fs: FsPort
  readonly #orphans: OrphanRemover
  readonly #folder: string
  readonly #terminalId: () => Promise<string | undefined>
  readonly #sessionDir: string | undefined

  /** @param sessionDir where all sessions of the storage lie, if they lie in one folder: a crumb that leads elsewhere is none */
  constructor(
    fs: FsPort,
    orphans: OrphanRemover,
    folder: string,
    terminalId: () => Promise<string | undefined>,
    sessionDir: string | undefined,
  ) {
    this.#fs = fs
    this.#orphans = orphans
    this.#folder = folder
    this.#terminalId = terminalId
    this.#sessionDir = sessionDir
  }

  async read(): Promise<{ cwd: string; key: string } | undefined> {
    const path = await this.#path()
    if (path === undefined) return undefined
    const [cwd, key] = (await withStorageErrors(path, "read", () => this.#text(path))).split(/\r?\n/)
    if (!cwd || !key) return undefined
    return this.#sessionDir === undefined || dirname(key) === this.#sessionDir ? { cwd, key } : undefined
  }

  /** Does nothing without a terminal, or for a name that holds a line feed, which two lines cannot hold. */
  async write(cwd: string, key: string): Promise<void> {
    const path = await this.#path()
    if (path !== undefined && !/[\r\n]/.test(cwd + key)) {
      await withStorageErrors(path, "write", () => this.#put(path, `${cwd}\n${key}\n`))
    }
  }

  async #path(): Promise<string | undefined> {
    const id = await this.#terminalId()
    return id === undefined ? undefined : join(this.#folder, id)
  }

  async #text(path: string): Promise<string> {
    const chunks: Uint8Array[] = []
    try {
      for await (const chunk of fileChunks(this.#fs, path)) chunks.push(chunk.slice())
    } catch (error) {
      if (!isErrno(error, "ENOENT")) throw error
    }
    return Buffer.concat(chunks).toString("utf8")
  }

  async #put(path: string, text: string): Promise<void> {
    makeFolder(this.#fs, dirname(path))
    const temp = tempName(path, newToken())
    const temporaryFiles = new TemporaryFiles(this.#fs)
    try {
      await writeTemp(this.#fs, temp, [Buffer.from(text)], { unlike: new Set() })
      await this.#fs.rename(temp, path)
    } catch (error) {
      temporaryFiles.discard(temp)
      throw error
    }
    await this.#orphans.visit(this.#folder)
  }
}
