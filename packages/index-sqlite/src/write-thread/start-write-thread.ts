import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { Worker } from "node:worker_threads"
import { TreelogError } from "@treelog/session-core"
import { INDEX_VERSION } from "../index-version.js"
import { packageFile } from "../load-driver.js"
import type { PackedChanges } from "../tables/packed-changes.js"

/** An error of SQLite in the thread. */
export interface ThreadFault {
  readonly message: string
  readonly code?: unknown
  readonly errcode?: unknown
}

/** A quarter of Node's own: more makes nothing faster. MB. */
const YOUNG = 4

/** Where Node does not make threads: without the permission, and in some programs that embed it. */
const NO_THREADS = ["ERR_ACCESS_DENIED", "ERR_MISSING_PLATFORM_FOR_WORKER"]

/**
 * Starts a thread that writes changes to a database, so that this one reads on meanwhile.
 * @returns undefined where there can be none: where the package was bundled without its file, or threads are not allowed
 */
export function startWriteThread(path: string): WriteThread | undefined {
  const file = join(dirname(packageFile()), "dist", `write-thread-${INDEX_VERSION}.js`)
  // Tests run on the sources: what was built may be older.
  if (process.versions.bun !== undefined || import.meta.url.endsWith(".ts") || !existsSync(file)) return undefined
  try {
    // Without options of Node that say how modules are found: its file needs none.
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG }
    return new WriteThread(new Worker(file, { workerData: path, execArgv: [], resourceLimits }), path)
  } catch (error) {
    if (error instanceof Error && "code" in error && NO_THREADS.includes(String(error.code))) return undefined
    throw error
  }
}

/** A thread that writes changes, one call after the other. It does not keep the process running between calls. */
export class WriteThread {
  readonly #worker: Worker
  readonly #path: string
  readonly #exited: Promise<void>
  #end: string | undefined
  #answer: (fault: ThreadFault | undefined) => void = () => {}

  constructor(worker: Worker, path: string) {
    this.#worker = worker
    this.#path = path
    worker.unref()
    worker.on("message", (fault: ThreadFault | undefined) => this.#answer(fault))
    worker.on("error", ({ message }) => {
      this.#end = message
    })
    this.#exited = new Promise((resolve) => {
      worker.on("exit", (code) => {
        this.#end ??= `it exited with code ${code}`
        this.#answer(undefined)
        resolve()
      })
    })
  }

  /** Writes changes in one transaction. @throws an error of SQLite, after which the call may be repeated; StorageError if the thread ended */
  async write(changes: PackedChanges): Promise<void> {
    const fault = await this.#ask(changes)
    if (this.#end !== undefined) {
      const data = { key: this.#path, operation: "update", errno: undefined }
      const message = `The index of sessions ${this.#path} cannot be used (update): its thread ended: ${this.#end}.`
      throw new TreelogError("StorageError", message, data)
    }
    if (fault) throw Object.assign(new Error(fault.message), fault)
  }

  /** Closes the database and ends the thread. */
  async close(): Promise<void> {
    this.#worker.ref()
    if (this.#end === undefined) this.#worker.postMessage(null)
    await this.#exited
  }

  async #ask(changes: PackedChanges): Promise<ThreadFault | undefined> {
    if (this.#end !== undefined) return undefined
    this.#worker.ref()
    const answered = new Promise<ThreadFault | undefined>((resolve) => {
      this.#answer = resolve
    })
    this.#worker.postMessage(changes)
    const fault = await answered
    this.#worker.unref()
    return fault
  }
}
