import { isTreelogError, type Session, type SessionInfo, TreelogError } from "@treelog/session-core"
import { type ProjectOf, textStart, titleLine } from "@treelog/session-core/adapter"
import type { IndexedSession, Prices } from "@treelog/session-core/search"
import { costText, plural } from "@treelog-internal/text"
import type { PastSessions } from "./past-sessions.js"

/** What a file may put into a line: more than the ids and the paths that programs write. UTF-16 units. */
const MAX_LABEL = 160
const MAX_TITLE = 120
/** How much of a text is redacted before it is cut: more than the longest secret. UTF-16 units. */
export const REDACTED = 20_000

/** Ids as programs write them. Others stand in a quote alone. */
export const PLAIN_ID = /^[\w.:-]{1,100}$/

/** What the tools may see, and how: see `McpServerOptions`. */
export class Scope {
  constructor(
    readonly sessions: PastSessions,
    readonly cwd: string | undefined,
    readonly redact: (text: string) => string,
    readonly prices: Prices | undefined,
    readonly projectOf: ProjectOf | undefined,
    readonly now: () => number,
    readonly started: { readonly cwd: string | undefined; readonly env: Client["env"] },
  ) {}

  /** The session that asks, or may: it is left out of answers. @param meta what the client sent with the call */
  asking(meta: Client["meta"], signal: AbortSignal): Promise<AskingSessions> {
    const { cwd, env } = this.started
    const newestOf = async () => {
      if (cwd === undefined) return undefined
      for await (const info of this.sessions.list({ scope: cwd }, { limit: 1, signal })) return info
      return undefined
    }
    return askingSessions({ env, meta }, newestOf, this.now())
  }

  /** What to say of sessions that were left out. */
  leftOut({ named, newest }: AskingSessions): string {
    const asks = named === undefined ? "" : "\nThe session that asks is left out."
    const id = newest !== undefined && PLAIN_ID.test(newest) ? ` ${newest}` : ""
    const may = `\nSession${id} was written in this folder just now: it may be the one that asks, and is left out. read_session shows it.`
    return newest === undefined ? asks : asks + may
  }

  /** Why there is no session to answer with; empty where there are some. */
  async emptiness(signal: AbortSignal): Promise<string> {
    const { cwd, sessions } = this
    if (await sessions.isAny({ scope: cwd })) return ""
    if (cwd === undefined) return "There is no session on this machine that this server can see."
    const count = await this.#countElsewhere(signal)
    return `There is no session of ${cwd}, the folder that this server was started for. Other folders have ${plural(count, "session")}: it sees them when it is started with --all, and those of one with --cwd FOLDER.`
  }

  /** What this server does not see: the sessions of other folders; empty where there are none. */
  async elsewhere(signal: AbortSignal): Promise<string> {
    const count = this.cwd === undefined ? 0 : await this.#countElsewhere(signal)
    const others = `${plural(count, "session")} of other folders can be seen when it is started with --all`
    return count === 0 ? "" : `\nThis server sees the sessions of ${this.cwd} alone: ${others}.`
  }

  async #countElsewhere(signal: AbortSignal): Promise<number> {
    const count = async (scope: string | undefined): Promise<number> => {
      let sessions = 0
      for await (const { error } of this.sessions.list({ scope }, { signal })) if (!error) sessions += 1
      return sessions
    }
    return (await count(undefined)) - (await count(this.cwd))
  }

  /** Brings the index up to date. @returns what to say of sessions that it lacks; `""` where it has all */
  async update(signal: AbortSignal): Promise<string> {
    const { failed } = await this.sessions.update({ signal })
    return failed.length === 0
      ? ""
      : `\n${plural(failed.length, "session")} of the store cannot be read, and are left out.`
  }

  /** What a session cost; empty where no usage was reported. */
  async costOf(id: string): Promise<string> {
    const { total } = await this.sessions.usage({ session: id }, [], this)
    return total.totals.calls === 0 ? "" : costText(total.cost)
  }

  /**
   * Opens a session by its full id: a reference from outside the program is never taken for a path.
   * @param entry the id of an entry that may be in another copy of the session, or in a part of it: then that is opened
   * @throws SessionNotFoundError, also for a session of another folder
   */
  async open(id: string, entry?: string): Promise<Session> {
    return this.sessions.openEntry({ session: id, entry, scope: this.cwd }).catch((error) => {
      throw isTreelogError(error, "SessionNotFoundError") ? this.#notFound(id) : error
    })
  }

  /** `Fix the flaky test (01a1ffe2…, /home/ada/shop, ~$1.24)`. @param title its name, or else the first that its user said */
  heading(title: string, { id, cwd }: Pick<IndexedSession, "id" | "cwd">, cost = ""): string {
    return `${this.shortTitle(title) || "Session"} (${[this.label(id), this.label(cwd), cost].filter(Boolean).join(", ")})`
  }

  /** An id, a folder, or a name of a model or a tool, in one line. Whoever wrote it may have written anything. */
  label(text: unknown): string {
    return this.#line(String(text), MAX_LABEL)
  }

  /** A title in one line, without secrets: one that is cut could not be found. */
  shortTitle(title: string): string {
    return this.#line(titleLine(title.slice(0, REDACTED)), MAX_TITLE)
  }

  #line(text: string, longest: number): string {
    return textStart(this.redact(text.slice(0, REDACTED)).replace(/\s+/g, " "), longest)
  }

  #notFound(id: string): TreelogError<"SessionNotFoundError"> {
    const message = `No session of ${this.cwd ?? "this store"} has the id ${JSON.stringify(id)}: use an id that search_sessions or list_sessions gave.`
    return new TreelogError("SessionNotFoundError", message, { ref: id })
  }
}

export function entryUri(sessionId: string, entryId: string): string {
  return `treelog://session/${encodeURIComponent(sessionId)}/entry/${encodeURIComponent(entryId)}`
}

/** The variables in which agents name their session to the servers that they start: Claude Code, Qwen Code, Copilot. */
const VARIABLES = ["CLAUDE_CODE_SESSION_ID", "QWEN_CODE_SESSION_ID", "COPILOT_AGENT_SESSION_ID"] as const
/** In what Codex sends with each call. */
const META = "threadId"
/** A session of a folder that was not written for so long is none that asks. Milliseconds. */
const RECENT = 10 * 60_000

/** Where the session that asks may be named. */
interface Client {
  /** The environment in which the server was started. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** What the client sent with the call, as `_meta`. */
  readonly meta: Readonly<Record<string, unknown>> | undefined
}

/** The sessions that ask, or may: what they say is no evidence of what was done before. */
interface AskingSessions {
  /** The id that the client names. It may be one that it has left since, but for an id that came with the call. */
  readonly named: string | undefined
  /** The one of its folder that was written to last, where the client does not name one with the call. */
  readonly newest: string | undefined
}

/**
 * The sessions that ask.
 * @param newestOf the session of the client's folder that was written to last
 * @param now milliseconds since 1970
 */
async function askingSessions(
  { env, meta }: Client,
  newestOf: () => Promise<SessionInfo | undefined>,
  now: number,
): Promise<AskingSessions> {
  const sent = meta?.[META]
  if (typeof sent === "string") return { named: sent, newest: undefined }
  const [named] = VARIABLES.flatMap((name) => env[name] || [])
  const newest = await newestOf()
  const isRecent = newest !== undefined && newest.error === undefined && now - newest.modified < RECENT
  return { named, newest: isRecent && newest.id !== named ? newest.id : undefined }
}
