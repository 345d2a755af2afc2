import type { SessionArtifact } from "@treelog/session-core/adapter"
import { type Conversion, sessionBytes } from "@treelog-internal/agent-files"
import { sessionNotFound } from "@treelog-internal/fs"
import { countCopied } from "../convert/copied-items.js"
import type { ThreadStep } from "../convert/thread-plan.js"
import { threadRecords } from "../convert/thread-records.js"
import { noHead } from "./codex-errors.js"
import type { CodexHome, Thread } from "./codex-home.js"
import { rolloutReader } from "./read-rollout.js"

/**
 * The conversion of a thread, whose files are read as its bytes are asked for.
 * @throws InvalidSessionError, SessionNotFoundError, StorageError
 */
export async function convertThread(home: CodexHome, key: string): Promise<Conversion> {
  const thread = await home.threadAt(key)
  const first = thread?.files[0]
  if (!thread || !first) throw sessionNotFound(key)
  if (!thread.files.some(({ hasHead }) => hasHead)) throw noHead(key)
  const originals = await originalsOf(home, thread)
  const names = thread.steps.map(({ file }) => file.name)
  const linesIn = await rolloutReader(home.fs, [...names, ...originals.values()])
  const steps = thread.steps.map((step): ThreadStep => {
    const original = originals.get(step.copyOf ?? "")
    if (original === undefined) return step
    return { ...step, copiedItems: countCopied(step.file, linesIn(step.file.name), linesIn(original)) }
  })
  const records = threadRecords(first, thread.title, steps, ({ name }) => linesIn(name))
  return {
    chunks: sessionBytes(records),
    get report() {
      return records.report
    },
    artifacts: () => artifactsOf(home, thread),
  }
}

/** The files that those of the thread may begin with a copy of, by the thread that they name. */
async function originalsOf(home: CodexHome, { steps }: Thread): Promise<Map<string, string>> {
  const originals = new Map<string, string>()
  for (const { copyOf } of steps) {
    const path = copyOf === undefined ? undefined : (await home.rolloutOf(copyOf))?.path
    if (copyOf !== undefined && path !== undefined) originals.set(copyOf, path)
  }
  return originals
}

async function* artifactsOf(home: CodexHome, thread: Thread): AsyncGenerator<SessionArtifact> {
  for (const { id, files } of await home.subAgents(thread.id)) {
    const [first] = files
    if (first) yield { name: `${id}.jsonl`, chunks: (await convertThread(home, first.path)).chunks }
  }
}
