import type { ContentBlock } from "@treelog/session-core"
import type { Json } from "@treelog-internal/agent-files"
import { NO_TOKENS, type TokenCounts } from "./usage.js"

/** The models to which versions of 2025 gave the tool for patches. */
const HAD_PATCH_TOOL = /gpt-5(?:\.\d|-codex)/

/** All that is known at one point of a path: a revert, a fork or a rollback goes on from a copy of it. */
export class PathState {
  /** The last entry. */
  leaf: string | null = null
  /** The thread that the first item belongs to. */
  origin: string
  /** The id of the last item, with which the next one is hashed; the origin before the first. */
  item: string
  hasItems = false
  /** Entries since the last item that are none themselves. */
  sides = 0
  provider: string
  model: string | undefined
  effort: string | undefined
  /** What the program asks the provider for, such as `priority`. */
  serviceTier: string | undefined
  /** The last `turn_context`, without what changes with every turn. */
  turnContext: string | undefined
  systemPrompt: string | undefined
  isPaginated = false
  /** Whether the file that the path goes on from was not found. */
  isPartial = false
  /** Whether the program sent prompts and summary of a compaction in one message. */
  joinsHistory = false
  /** Whether the program sent models that had its tool for patches results of commands as text, which it stored as JSON. */
  formatsResults = false
  /** Whether the program takes the context before a turn back with it. */
  dropsContext = false
  turns: Turn[] = []
  /** Of the settings at places. */
  texts: string[] = []
  /** The message of the last compaction that has prompts and summary in one, and the number of turns before it. */
  joined: { readonly text: string; readonly turns: number } | undefined
  /** The place before the messages that say the context of the next turn. */
  beforeContext: Place | undefined
  /** The items before the first prompt. */
  initial: Json[] = []
  calls = new Map<string, OpenCall>()
  pending: PendingReply | undefined
  /** The last `total_token_usage`s, the newest last. */
  totals: readonly TokenCounts[] = [NO_TOKENS]
  /** Whether a `token_usage_record` was seen in this turn: the totals then say the same again. */
  hasRecords = false
  /** Usage of a response whose items were not seen yet: of a compaction, or of the next reply. */
  loose: TokenCounts | undefined
  /** Tokens of the last response. */
  lastTokens = 0
  /** How many tokens the model can get; 0 where that is not known. */
  window = 0

  constructor(origin: string, provider: string) {
    this.origin = origin
    this.item = origin
    this.provider = provider
  }

  /** Whether results of commands that are stored as JSON were sent as text. */
  get sendsText(): boolean {
    return this.formatsResults && HAD_PATCH_TOOL.test(this.model ?? "")
  }

  copy(): PathState {
    const { turns, texts, initial, calls, pending } = this
    return Object.assign(new PathState(this.item, this.provider), this, {
      turns: [...turns],
      texts: [...texts],
      initial: [...initial],
      calls: new Map([...calls].map(([id, call]) => [id, { ...call }])),
      pending: pending && { ...pending, content: [...pending.content], after: [...pending.after] },
    })
  }

  /** Where it is; before the last item where that is the next one's. @param item the last one before it */
  place(item = this.item): Place {
    const { leaf, model, effort, turnContext, systemPrompt } = this
    return [leaf, item, ...[model, effort, turnContext, systemPrompt].map((text) => this.#numberOf(text))]
  }

  /** Goes back to a place. */
  goTo([leaf, item, ...settings]: Place): void {
    const [model, effort, turnContext, systemPrompt] = settings.map((number) => this.texts[number])
    Object.assign(this, { leaf, item, model, effort, turnContext, systemPrompt, beforeContext: undefined })
  }

  #numberOf(text: string | undefined): number {
    const known = text === undefined ? -1 : this.texts.lastIndexOf(text)
    return text === undefined || known >= 0 ? known : this.texts.push(text) - 1
  }

  /** A copy as plain JSON. */
  get saved(): SavedPath {
    const { calls, ...fields } = this.copy()
    return { ...fields, calls: [...calls] }
  }

  /** Goes on from what was saved, or is known otherwise. */
  restore({ calls, ...fields }: SavedPath): void {
    Object.assign(this, fields, { calls: new Map(calls) })
  }
}

/** What is known of a path, as plain JSON. */
export interface SavedPath extends Partial<Omit<PathState, Made | "calls">> {
  readonly calls?: readonly (readonly [string, OpenCall])[]
}

type Made = "copy" | "place" | "goTo" | "saved" | "restore"

/** What a rollback takes back: all that follows a prompt, or the request of another agent. Plain JSON. */
export interface Turn {
  /** Undefined where no person began it. */
  readonly prompt?: string | undefined
  readonly before: Place
}

/** Where a path was, and the settings there: numbers of its texts, -1 of what is not known. */
export type Place = readonly [leaf: string | null, item: string, ...settings: number[]]

/** A call that has no result yet. */
export interface OpenCall {
  readonly name: string
  /** What it asks a sub-agent. */
  readonly title?: string | undefined
  /** The thread that it started, where an event says so. */
  thread?: string
  /** What the events of the call say of it. */
  details?: Json
  isError?: boolean | undefined
}

/** A reply of which more items may follow. */
export interface PendingReply {
  readonly id: string
  /** Of its first item, and of its last one so far. */
  readonly timestamp: string
  updated: string
  readonly content: ContentBlock[]
  usage: TokenCounts | undefined
  /** Whether its usage followed its items, so that the next item belongs to another response. */
  isClosed: boolean
  isAborted: boolean
  /** Entries that came between its items; they follow it. */
  readonly after: NewSide[]
}

/** An entry that is no item. */
export interface NewSide {
  readonly type: string
  readonly timestamp: string
  readonly fields: Json
  /** Whether the model does not get it. */
  readonly isOmitted?: boolean
}
