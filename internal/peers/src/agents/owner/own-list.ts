import { renameSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import type { StartedTarget } from "../copies/target.js"
import type { Findings, Scenario } from "../frame/agent.js"
import type { AgentPlace } from "../frame/run-agent.js"
import { documentsOf, treelog } from "../live/live-agent.js"
import type { ModelServer } from "../model/model-server.js"

/** An agent whose own list is compared with what treelog says of it. */
export interface ListingAgent {
  /** As `--store` takes it. */
  readonly store: string
  /** What it adds to each request by itself. */
  readonly own: RegExp
  /** Makes the settings of a person who has used it before. */
  start(place: AgentPlace, model: ModelServer): Pick<StartedTarget, "listed" | "resume" | "sent" | "hasIds">
  /** Records a session that it lists. */
  record(place: AgentPlace, model: ModelServer, prompt: string): Promise<unknown>
  /** Records sessions that it does not list, by the reason that treelog must name. */
  readonly hidden: Readonly<Record<string, ListingAgent["record"]>>
}

/** What `treelog list --json` says of a session. */
interface ListedSession {
  readonly id: string
  readonly firstMessage: string
}

interface HiddenSession {
  readonly id: string
  readonly reason: string
  readonly canUnhide: boolean
}

/** So long after its last write a session is not taken to be in use. Milliseconds. */
const QUIET = 3_500

/**
 * The agent's own list against what `doctor` says is listed and hidden, also after `--unhide` and its undo; and a session that is listed and resumed
 * in another folder after `relocate`, and in the first one after its undo.
 */
export function ownList(agent: ListingAgent): Scenario {
  return {
    name: "own-list",
    async run(place, model): Promise<Findings> {
      const differences: string[] = []
      // The settings of the folder that is in use first are the last ones.
      const movedPlace = { ...place, project: `${place.project}-moved` }
      const there = agent.start(movedPlace, model)
      const here = agent.start(place, model)
      await agent.record(place, model, "Shown in the list")
      for (const [reason, record] of Object.entries(agent.hidden)) await record(place, model, `Hidden as ${reason}`)
      differences.push(...(await faultsOfHidden(agent, place, here)))
      differences.push(...(await faultsOfRelocation(agent, place, movedPlace, here, there)))
      return { differences, unknown: [] }
    },
  }
}

async function faultsOfHidden(
  { store, hidden: kinds }: ListingAgent,
  place: AgentPlace,
  { listed, hasIds }: Pick<StartedTarget, "listed" | "hasIds">,
): Promise<string[]> {
  const faults: string[] = []
  const sessions = await sessionsOf(store, place)
  const hidden = await hiddenOf(store, place)
  const compare = async (when: string, unhidden: ReadonlySet<string> = new Set()): Promise<void> => {
    const lines = await listed()
    for (const { id, firstMessage } of sessions) {
      const isListed = lines.some((line) => line.includes(hasIds ? id : firstMessage))
      const isMeant = unhidden.has(id) || hidden.every((one) => one.id !== id)
      if (isListed !== isMeant)
        faults.push(`${when}, "${firstMessage}" (${id}) is ${isListed ? "" : "not "}in its own list`)
    }
  }
  for (const reason of Object.keys(kinds)) {
    const session = sessions.find(({ firstMessage }) => firstMessage === `Hidden as ${reason}`)
    const found = hidden.find(({ id }) => id === session?.id)?.reason
    if (found !== reason) faults.push(`doctor says ${found} of what is hidden as ${reason}`)
  }
  await compare("at first")
  const repaired = hidden.filter(({ canUnhide }) => canUnhide)
  if (repaired.length === 0) return faults
  await setTimeout(QUIET)
  for (const { id } of repaired) await treelog(place, "doctor", "--unhide", id, "--store", store)
  await compare("after --unhide", new Set(repaired.map(({ id }) => id)))
  for (const _ of repaired) await treelog(place, "doctor", "--undo")
  await compare("after --undo")
  return faults
}

async function faultsOfRelocation(
  { store, own }: ListingAgent,
  from: AgentPlace,
  to: AgentPlace,
  here: ReturnType<ListingAgent["start"]>,
  there: ReturnType<ListingAgent["start"]>,
): Promise<string[]> {
  const faults: string[] = []
  const [session] = (await sessionsOf(store, from)).filter(({ firstMessage }) => firstMessage === "Shown in the list")
  if (!session) return ["no session is listed by treelog"]
  const { id, firstMessage } = session
  // Some lists show the last prompt.
  const names = [firstMessage]
  const asked = async (at: typeof here, prompt: string, before: readonly unknown[]) => {
    const lines = await at.listed()
    const isIt = (line: string): boolean => (at.hasIds ? [id] : names).some((name) => line.includes(name))
    if (!lines.some(isIt)) faults.push(`${prompt}: it is not listed`)
    await at.resume(id, prompt)
    names.push(prompt)
    const sent = at.sent(prompt).filter(({ text }) => text === undefined || !own.test(String(text)))
    const [first, last] = [before.findIndex((block, n) => !isDeepStrictEqual(block, sent[n])), sent.at(-1)]
    if (first !== -1)
      faults.push(`${prompt}: sent is ${JSON.stringify(sent[first])}, and was ${JSON.stringify(before[first])}`)
    if (!JSON.stringify(last).includes(prompt)) faults.push(`${prompt}: sent last is ${JSON.stringify(last)}`)
    return sent
  }
  const first = await asked(here, "Before the move", [])
  renameSync(from.project, to.project)
  await setTimeout(QUIET)
  await treelog(from, "relocate", "--from", from.project, "--to", to.project, "--apply", "--store", store)
  const second = await asked(there, "After the move", first)
  await setTimeout(QUIET)
  renameSync(to.project, from.project)
  await treelog(from, "relocate", "--undo")
  await asked(here, "Moved back", second)
  return faults
}

async function sessionsOf(store: string, place: AgentPlace): Promise<ListedSession[]> {
  return documentsOf<ListedSession>(place, "list", "--all", "--store", store)
}

async function hiddenOf(store: string, place: AgentPlace): Promise<readonly HiddenSession[]> {
  const all = await documentsOf<{ store: string; hidden?: HiddenSession[] }>(place, "doctor")
  const found = all.find((one) => one.store === store)
  if (!found?.hidden) throw new Error(`doctor says nothing of the list of ${store}`)
  return found.hidden
}
