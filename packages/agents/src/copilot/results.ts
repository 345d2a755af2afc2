import type { ContentBlock } from "@treelog/session-core"
import { type EntryWriter, isObject, type Json, objectIn, objectsIn, type RecordOutcome, textIn } from "../kit.js"
import { entryPlace } from "./event.js"
import { UNKNOWN } from "./usage.js"

const INTERRUPTED = "The execution of this tool, or a previous tool was interrupted."

/** The calls of a reply, in its order, with the results that have come. */
interface Calls {
  readonly all: ReadonlySet<string>
  /** Those that have no result yet, or come behind such a one. */
  readonly ids: string[]
  readonly results: Map<string, Json>
  /** The reply, and what of it is sent once the user has ended a call of it: without its thoughts. */
  readonly interrupted: { readonly entry: string; readonly content: readonly ContentBlock[] } | undefined
}

/** The results of calls, which come as the tools end, and are sent in the order of the calls, and what the model gets behind them. */
export class CallResults {
  readonly #writer: EntryWriter
  /** Images, by their ids. */
  readonly #assets: ReadonlyMap<unknown, Json>
  #calls: Calls | undefined
  /** The names of calls that have no result yet, by their ids: one that runs in the background can come behind other messages. */
  readonly #open = new Map<string, string>()
  /** What the model gets behind the results that have not come yet. */
  #notices: { readonly event: Json; readonly content: string }[] = []

  constructor(writer: EntryWriter, assets: ReadonlyMap<unknown, Json>) {
    this.#writer = writer
    this.#assets = assets
  }

  /** The calls of a reply, behind those of the one before. */
  begin(requests: readonly Json[], interrupted: Calls["interrupted"]): void {
    const ids = requests.map(({ toolCallId }) => String(toolCallId))
    this.#calls = { all: new Set(ids), ids, results: new Map(), interrupted }
    for (const { toolCallId, name } of requests) this.#open.set(String(toolCallId), String(name))
  }

  isOpen(call: string): boolean {
    return this.#open.has(call)
  }

  /** @param call which is open */
  add(event: Json, call: string): void {
    const calls = this.#calls
    if (!calls?.all.has(call)) {
      this.#addResult(event)
      return
    }
    const { ids, results } = calls
    results.set(call, event)
    for (let next = results.get(ids[0] ?? ""); next; next = results.get(ids[0] ?? "")) {
      ids.shift()
      this.#addResult(next)
    }
    if (ids.length === 0) this.#addNotices()
  }

  /** What the runtime says to the model: behind results that it comes between. */
  notice(event: Json, content: string | undefined): RecordOutcome {
    if (content === undefined) return "kept"
    this.#notices.push({ event, content })
    if ((this.#calls?.ids.length ?? 0) === 0) this.#addNotices()
    return "converted"
  }

  #addNotices(): void {
    for (const { event, content } of this.#notices)
      this.#writer.add("custom_message", entryPlace(event), { customType: "copilot.notice", content, display: false })
    this.#notices = []
  }

  /** The model gets a result of calls that the user ended. */
  interrupt(event: Json): void {
    const calls = this.#calls
    const isEnded = calls?.ids.some((id) => !calls.results.has(id))
    this.#interruptCalls(event, calls?.ids ?? [])
    if (!isEnded || !calls?.interrupted) return
    const { entry: targetId, content } = calls.interrupted
    const place = { id: `${String(event.id)}:edit`, time: entryPlace(event).time }
    this.#writer.add("context_edit", place, { targetId, replacement: { content } })
  }

  /** Ends all calls without a result. */
  interruptAll(event: Json): void {
    this.#interruptCalls(event, this.#open.keys())
  }

  /** Adds the result that Copilot sends of calls without one. What comes later for them it does not send, as what it makes when it opens the session. */
  #interruptCalls({ id, timestamp }: Json, ids: Iterable<string>): void {
    const calls = this.#calls
    for (const toolCallId of ids) {
      if (calls?.results.has(toolCallId)) continue
      const data = { toolCallId, error: { message: INTERRUPTED } }
      const result = { id: `${String(id)}:${toolCallId}`, timestamp, data }
      if (calls?.all.has(toolCallId)) calls.results.set(toolCallId, result)
      else this.#addResult(result)
    }
    this.end()
  }

  /** Results of calls before which another one has none. */
  end(): void {
    const calls = this.#calls
    this.#calls = undefined
    for (const id of calls?.ids ?? []) {
      const event = calls?.results.get(id)
      if (event) this.#addResult(event)
    }
    this.#addNotices()
  }

  #addResult(event: Json): void {
    const data = objectIn(event, "data") ?? {}
    const { content: _, ...details } = objectIn(data, "result") ?? {}
    const toolCallId = String(data.toolCallId)
    const message = { role: "toolResult" as const, toolCallId, toolName: this.#open.get(toolCallId) ?? UNKNOWN }
    this.#open.delete(toolCallId)
    const [text, images] = [{ type: "text" as const, text: resultText(data) }, this.#resultImages(details)]
    const place = entryPlace(event)
    const entry = this.#writer.message(place, {
      ...message,
      content: [text, ...images],
      ...(Object.keys(details).length > 0 && { details }),
      isError: data.success !== true,
    })
    const edit = { targetId: entry, replacement: { content: [text] } }
    if (images.length > 0) this.#writer.add("context_edit", { ...place, id: `${entry}:text` }, edit)
  }

  /** The images of a result. Copilot stores them for the model or to show them, most of them for both, and sends the text alone. */
  #resultImages({ binaryResultsForLlm, contents }: Json): ContentBlock[] {
    const images = new Map<string, ContentBlock>()
    for (const result of [...objectsIn(binaryResultsForLlm), ...objectsIn(contents)]) {
      const { data, mimeType } = { ...result, ...this.#assets.get(result.assetId) }
      if (result.type === "image" && typeof data === "string" && typeof mimeType === "string")
        images.set(data, { type: "image", data, mimeType })
    }
    return [...images.values()]
  }

  /** Nothing that comes later belongs to a call before. */
  close(): void {
    this.end()
    this.#open.clear()
  }

  /** Takes the calls of what is taken back away. */
  drop(): void {
    this.#calls = undefined
    this.#open.clear()
    this.#notices = []
  }
}

/** What the model gets of a result. */
export function resultText(data: Json): string {
  const content = isObject(data.result) ? data.result.content : data.result
  return typeof content === "string" ? content : (textIn(objectIn(data, "error") ?? {}, "message") ?? "")
}
