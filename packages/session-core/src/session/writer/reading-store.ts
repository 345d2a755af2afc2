import { TreelogError } from "../../errors.js"
import type { SessionSource } from "../../ports/session-source.js"
import { run } from "../../steps.js"
import type { StoredTail } from "../reader/stored-tail.js"
import type { SessionState } from "../session-state.js"
import { FollowedStore } from "./followed-store.js"

/** The store of a session that was opened for reading: it takes no lease and never writes, but can follow what others append. */
export class ReadingStore extends FollowedStore {
  readonly #tail: StoredTail
  readonly #refusal: TreelogError
  /** The leaf as the file has it; while the caller has not moved it, it follows. */
  #leafInFile: string | null

  /** @param refusal what every write is answered with */
  constructor(storage: SessionSource, state: SessionState, tail: StoredTail, refusal = readOnlyError(tail.key)) {
    super(storage, state)
    this.#tail = tail
    this.#leafInFile = state.leafId
    this.#refusal = refusal
  }

  override get key(): string {
    return this.#tail.key
  }

  override get identity(): string {
    return this.#tail.stat.identity
  }

  override assertWritable(): void {
    throw this.#refusal
  }

  override async flush(): Promise<void> {}

  override flushSync(): void {}

  override async retry(): Promise<void> {}

  override async saveAs(): Promise<void> {
    throw this.#refusal
  }

  protected override read(): Promise<void> {
    return this.turns.run(async () => {
      const added = this.absorb(await run(this.#tail.read({ whole: false })))
      if (this.state.leafId !== this.#leafInFile) return
      for (const entry of added) this.state.follow(entry)
      this.#leafInFile = this.state.leafId
    })
  }
}

function readOnlyError(key: string): TreelogError {
  const message = `${key} was opened for reading; open it with another access to write.`
  return new TreelogError("ReadOnlySessionError", message, { key })
}
