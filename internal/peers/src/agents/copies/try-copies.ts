import { isDeepStrictEqual } from "node:util"
import { isEntry, type Session, type SessionEntry, SessionManager } from "@treelog/session-core"
import { type Block, compareBlocks } from "../frame/compare-blocks.js"
import { type Json, textOf } from "../model/blocks.js"
import { sessionsIn, writeFor } from "./agent-sessions.js"
import { comparable, resultsInOrder } from "./said-blocks.js"
import { inOneForm } from "./same-calls.js"
import { blocksOfSource, type SourceSession } from "./sources.js"
import { calledSubAgents } from "./sub-agents.js"
import type { StartedTarget, Target } from "./target.js"

/** What is asked of each copy. */
const LAST = "And what is the last word?"

/** What was tried with copies of sessions: how many of them, and of which it holds. */
export interface Tried {
  copies: number
  /** By the agent itself, with its title. */
  listed: number
  /** The agent goes on with it by its id. */
  resumed: number
  /** The request is what the agent of the source would have sent. */
  request: number
  /** What the agent answered is read again, and a second run leaves it alone. */
  read: number
  /** Copies that were copied back, and of these the ones whose request is the first one again. */
  returned: number
  back: number
  /** What does not hold, a line each. */
  readonly faults: string[]
}

export const nothingTried = (): Tried => ({
  ...{ copies: 0, listed: 0, resumed: 0, request: 0, read: 0, returned: 0, back: 0 },
  faults: [],
})

/** An agent that copies are tried in. */
export interface TargetPlace {
  readonly target: Target
  readonly started: StartedTarget
  /** The home of the agent. */
  readonly home: string
}

/** What its agent adds, of a source. */
interface Own {
  readonly own: RegExp
}

interface Copy {
  readonly source: SourceSession
  readonly name: string
  readonly id: string
  readonly path: string
  readonly title: string
  /** How many sub-agents it has. */
  readonly subAgents: number
  readonly expected: readonly Block[]
}

/**
 * Copies sessions of one folder for an agent, finds them in its list, goes on with each, and compares what its model gets with what that of the source
 * would.
 * @param back where sessions of the source's agent are written again; undefined where that takes none
 */
export async function tryCopies(
  sources: readonly SourceSession[],
  { own }: Own,
  there: TargetPlace,
  back: TargetPlace | undefined,
  tried: Tried,
): Promise<void> {
  const { target, started } = there
  const fault = (copy: Copy, what: string): void => void tried.faults.push(`${copy.name}: ${what}`)
  const copies: Copy[] = []
  for (const source of sources) {
    tried.copies++
    const name = `${source.name} ${source.leaf}`
    try {
      copies.push(await written(source, name, there))
    } catch (error) {
      tried.faults.push(`${name}: ${textOfError(error)}`)
    }
  }
  if (copies.length === 0) return
  const returns = back && copies.filter(({ source }) => source.isFirst)
  // What goes back has no answer yet.
  const returned = await Promise.all((returns ?? []).map((copy) => opened(there, copy.path)))
  const lines = await started.listed()
  for (const copy of copies) {
    const isListed = (line: string): boolean => (!started.hasIds || line.includes(copy.id)) && line.includes(copy.title)
    if (lines.some(isListed)) tried.listed++
    else fault(copy, `not listed as ${copy.title}`)
    try {
      await started.resume(copy.id, LAST)
      tried.resumed++
    } catch (error) {
      fault(copy, `not resumed: ${textOfError(error)}`)
      continue
    }
    const differences = differencesOf(copy, own, there)
    if (differences.length === 0) tried.request++
    for (const one of differences) fault(copy, one)
    const unread = await faultOfRead(there, copy)
    if (unread === undefined) tried.read++
    else fault(copy, unread)
  }
  for (const [at, copy] of (returns ?? []).entries()) {
    const session = returned[at]
    if (!back || !session) continue
    tried.returned++
    try {
      const differences = await faultsOfReturn(copy, session, target, own, back)
      if (differences.length === 0) tried.back++
      for (const one of differences) fault(copy, `back again: ${one}`)
    } catch (error) {
      fault(copy, `back again: ${textOfError(error)}`)
    }
  }
}

async function written(source: SourceSession, name: string, { target, started }: TargetPlace): Promise<Copy> {
  const { session, transcripts, from, leaf } = source
  const options = { dir: started.dir, env: started.env, from, leaf, transcripts }
  const { id, path, receipt } = await writeFor(target.agent, session, options)
  const again = await writeFor(target.agent, session, options)
  if (again.id !== id || again.status !== "unchanged") throw new Error(`written again, it is ${again.status}`)
  for (const [axis, { source: of, preserved, partial, evidence, dropped }] of Object.entries(receipt))
    if (of !== preserved + partial + evidence + dropped) throw new Error(`the receipt of ${axis} does not add up`)
  const subAgents = receipt.subAgents.preserved + receipt.subAgents.partial
  return { source, name, id, path, title: titleOf(session, leaf), subAgents, expected: await blocksOfSource(source) }
}

/** How lists name a session: its name, or its first prompt, of which they may show less. */
function titleOf(session: Session, leaf: string): string {
  const prompts = session.getBranch(leaf).flatMap(promptOf)
  return ((session.getSessionName() ?? prompts[0] ?? "").split("\n")[0] ?? "").slice(0, 12).trim()
}

function promptOf(entry: SessionEntry): string[] {
  const { role, content } = (isEntry(entry, "message") ? entry.message : {}) as Json
  const text = textOf(content)
  return role === "user" && !text.startsWith("<") ? [text] : []
}

async function opened({ target, home }: TargetPlace, path: string): Promise<Session> {
  return new SessionManager({ storage: await sessionsIn(target.agent, home) }).open(path, { access: "read" })
}

/** What the model of an agent got otherwise of a copy, or of one that was copied back through another agent. */
function differencesOf(
  { source, expected }: Copy,
  own: RegExp,
  { target, started }: TargetPlace,
  through?: Target,
): string[] {
  const agents = through ? [through, target] : [target]
  const asked: readonly Block[] = [...resultsInOrder(inOneForm(source.from, expected)), { role: "user", text: LAST }]
  const kept = agents.reduce((blocks, { asKept }) => asKept?.(blocks) ?? blocks, asked)
  const words = agents.flatMap(({ words }) => words ?? [])
  const read = comparable(target.asSent?.(kept) ?? kept, words)
  const sent = comparable(resultsInOrder(inOneForm(target.agent, started.sent(LAST))), words)
  const added = agents.map(({ own }) => own)
  return compareBlocks(withoutOwn(added, sent, [own], read), withoutOwn([own], read, added, sent))
}

/** Blocks without what agents add by themselves: what the others add, too, or have not. */
function withoutOwn(
  own: readonly RegExp[],
  blocks: readonly Block[],
  others: readonly RegExp[],
  there: readonly Block[],
): Block[] {
  const isIn = (all: readonly RegExp[], { text }: Block): boolean =>
    text !== undefined && all.some((said) => said.test(String(text)))
  return blocks.filter(
    (block) => !isIn(own, block) || (!isIn(others, block) && there.some((one) => isDeepStrictEqual(one, block))),
  )
}

/** Whether the answer is read, and the copy is left alone. */
async function faultOfRead(there: TargetPlace, { source, path, id, subAgents }: Copy): Promise<string | undefined> {
  const { target, started } = there
  const session = await opened(there, path)
  const { messages } = await session.readContext()
  const [prompt] = messages.filter(({ role }) => role === "user").slice(-1)
  const answer = messages.at(-1)
  if (!JSON.stringify(prompt).includes(LAST) || answer?.role !== "assistant")
    return `read at its end are ${JSON.stringify(prompt)} and ${answer?.role}`
  const read = await calledSubAgents(await sessionsIn(target.agent, there.home), path, session)
  if (read !== subAgents) return `it has ${read} of ${subAgents} sub-agents`
  const { session: of, ...more } = source
  const after = await writeFor(target.agent, of, { ...more, dir: started.dir, env: started.env })
  return after.id === id && after.status === "continued" ? undefined : `written after that, it is ${after.status}`
}

/** What its first agent gets otherwise of a session that was copied for another, and from there back. */
async function faultsOfReturn(
  copy: Copy,
  session: Session,
  through: Target,
  own: RegExp,
  back: TargetPlace,
): Promise<string[]> {
  const { started, target } = back
  const { id } = await writeFor(target.agent, session, { dir: started.dir, env: started.env, from: through.agent })
  await started.resume(id, LAST)
  return differencesOf(copy, own, back, through)
}

function textOfError(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n").slice(0, 6).join(" / ").slice(0, 600)
}
