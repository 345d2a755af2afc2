import type { SessionHeader } from "@treelog/session-core"
import { formatLine, type Line, LineSplitter, parseLine, type SessionArtifact } from "@treelog/session-core/adapter"
import type { ConversionReport, ConvertedBytes, SessionConversion } from "@treelog-internal/agent-files"
import { sessionNotFound } from "@treelog-internal/fs"
import { ThreadConverter } from "../convert/thread-converter.js"
import { threadHeader } from "../convert/thread-header.js"
import type { ThreadStep } from "../convert/thread-plan.js"
import { noHead } from "./codex-errors.js"
import type { CodexHome, Thread } from "./codex-home.js"
import { countCopiedItems } from "./copied-items.js"
import { rolloutBytes } from "./read-rollout.js"
import type { HeadedRollout } from "./rollout-heads.js"

/** The conversion of a thread, from the files of a folder. No file is open between two updates. */
export class ThreadConversion implements SessionConversion {
  readonly #home: CodexHome
  readonly #key: string
  /** What the last update has read; undefined before the first, and when one was broken off. */
  #progress: Progress | undefined
  #report: ConversionReport = { lines: 0, kinds: {}, unknownKinds: [], diagnostics: [] }

  constructor(home: CodexHome, key: string) {
    this.#home = home
    this.#key = key
  }

  get report(): ConversionReport {
    return this.#report
  }

  async update(): Promise<ConvertedBytes> {
    const thread = await this.#home.threadAt(this.#key)
    if (!thread) throw sessionNotFound(this.#key)
    if (!thread.files.some(({ hasHead }) => hasHead)) throw noHead(this.#key)
    const former = this.#progress
    this.#progress = undefined
    if (former && goesOn(former, thread)) return { kept: former.size, chunks: this.#goOn(former, thread) }
    return { kept: 0, chunks: this.#fromStart(thread) }
  }

  async *#fromStart(thread: Thread): AsyncGenerator<Uint8Array> {
    const first = thread.files[0]
    if (!first) throw sessionNotFound(this.#key)
    const header: SessionHeader = threadHeader(first, thread.title)
    const progress: Progress = {
      thread,
      converter: new ThreadConverter(header, first.name),
      position: { line: 1, offset: 0 },
      size: 0,
    }
    yield written(progress, [header])
    for (const [index, step] of thread.steps.entries()) {
      progress.position = { line: 1, offset: 0 }
      progress.converter.begin(await this.#withCopied(step))
      yield* this.#readStep(progress, step)
      if (index < thread.steps.length - 1) progress.converter.end()
      yield written(progress, progress.converter.take())
    }
    yield* this.#end(progress)
  }

  async *#goOn(progress: Progress, thread: Thread): AsyncGenerator<Uint8Array> {
    const step = thread.steps.at(-1)
    if (step) yield* this.#readStep(progress, step)
    yield* this.#end({ ...progress, thread })
  }

  async *#readStep(progress: Progress, { file }: ThreadStep): AsyncGenerator<Uint8Array> {
    const { converter } = progress
    const splitter = new LineSplitter(progress.position)
    const push = (line: Line): boolean => {
      if (converter.isPast(line)) return false
      // What has no line end may be half written: it waits for the rest.
      if (!line.terminated && parseLine(line).faults.length > 0) {
        converter.tear(line)
        return true
      }
      converter.push(line)
      progress.position = { line: line.number + (line.terminated ? 1 : 0), offset: line.end }
      return true
    }
    for await (const piece of rolloutBytes(this.#home.fs, file.name, { start: progress.position.offset })) {
      for (const line of splitter.push(piece)) if (!push(line)) return
      yield written(progress, converter.take())
    }
    for (const line of splitter.finish()) push(line)
  }

  /** What ends the session now is not part of what remains when it grows. */
  async *#end(progress: Progress): AsyncGenerator<Uint8Array> {
    yield written(progress, progress.converter.take())
    this.#report = progress.converter.report
    this.#progress = progress
    yield bytesOf(progress.converter.ending())
  }

  async #withCopied(step: ThreadStep): Promise<ThreadStep> {
    const { file, copyOf } = step
    const parent = copyOf === undefined ? undefined : (await this.#home.rolloutOf(copyOf))?.path
    if (parent === undefined) return step
    return { ...step, copiedItems: await countCopiedItems(this.#home.fs, parent, file) }
  }

  async *artifacts(): AsyncGenerator<SessionArtifact> {
    const thread = await this.#home.threadAt(this.#key)
    if (!thread) return
    for (const { id, files } of await this.#home.subAgents(thread.id)) {
      const [first] = files
      if (!first) continue
      const { chunks } = await new ThreadConversion(this.#home, first.path).update()
      yield { name: `${id}.jsonl`, chunks }
    }
  }

  async close(): Promise<void> {
    this.#progress = undefined
  }
}

interface Progress {
  readonly thread: Thread
  readonly converter: ThreadConverter
  /** Where the next line of the last file begins. */
  position: { line: number; offset: number }
  /** Bytes that remain when the session grows. */
  size: number
}

/** Whether the thread only grew at the end of its last file. */
function goesOn({ thread, position }: Progress, now: Thread): boolean {
  const last = now.files.at(-1)
  if (!last || last.path.endsWith(".zst") || last.size < position.offset) return false
  return planText(thread) === planText(now)
}

/** All that the lines so far were converted by. */
function planText({ steps, files, title }: Thread): string {
  const identities = files.map(({ path, identity }) => [path, identity])
  const sizes = files.slice(0, -1).map(({ size }) => size)
  const plan = steps.map(({ file, start, cuts, end }) => [
    file.name,
    (file as HeadedRollout).identity,
    start,
    cuts,
    end,
  ])
  return JSON.stringify([title, identities, sizes, plan])
}

function written(progress: Progress, records: readonly object[]): Uint8Array {
  const bytes = bytesOf(records)
  progress.size += bytes.length
  return bytes
}

const encoder = new TextEncoder()

function bytesOf(records: readonly object[]): Uint8Array {
  return encoder.encode(records.map(formatLine).join(""))
}
