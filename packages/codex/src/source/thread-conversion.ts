import type { SessionArtifact } from "@treelog/session-core/adapter"
import { type Conversion, lineBytes } from "@treelog-internal/agent-files"
import { sessionNotFound } from "@treelog-internal/fs"
import { ThreadConverter } from "../convert/thread-converter.js"
import { threadHeader } from "../convert/thread-header.js"
import type { ThreadStep } from "../convert/thread-plan.js"
import { noHead } from "./codex-errors.js"
import type { CodexHome, Thread } from "./codex-home.js"
import { countCopiedItems } from "./copied-items.js"
import { rolloutLines } from "./read-rollout.js"

/**
 * The conversion of a thread, whose files are read as its bytes are asked for.
 * @throws InvalidSessionError, SessionNotFoundError, StorageError
 */
export async function convertThread(home: CodexHome, key: string): Promise<Conversion> {
  const thread = await home.threadAt(key)
  const first = thread?.files[0]
  if (!thread || !first) throw sessionNotFound(key)
  if (!thread.files.some(({ hasHead }) => hasHead)) throw noHead(key)
  const header = threadHeader(first, thread.title)
  const converter = new ThreadConverter(header, first.name)
  async function* records(): AsyncGenerator<readonly object[]> {
    yield [header]
    for (const step of (thread as Thread).steps) {
      converter.begin(await withCopied(home, step))
      for await (const line of rolloutLines(home.fs, step.file.name)) {
        if (!converter.push(line)) break
        const complete = converter.take()
        if (complete.length > 0) yield complete
      }
      converter.end()
    }
    yield converter.finish()
  }
  return {
    chunks: lineBytes(records()),
    get report() {
      return converter.report
    },
    artifacts: () => artifactsOf(home, thread),
  }
}

async function withCopied(home: CodexHome, step: ThreadStep): Promise<ThreadStep> {
  const { file, copyOf } = step
  const parent = copyOf === undefined ? undefined : (await home.rolloutOf(copyOf))?.path
  if (parent === undefined) return step
  return { ...step, copiedItems: await countCopiedItems(home.fs, parent, file) }
}

async function* artifactsOf(home: CodexHome, thread: Thread): AsyncGenerator<SessionArtifact> {
  for (const { id, files } of await home.subAgents(thread.id)) {
    const [first] = files
    if (first) yield { name: `${id}.jsonl`, chunks: (await convertThread(home, first.path)).chunks }
  }
}
