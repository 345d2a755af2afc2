import type { Session } from "@treelog/session-core"
import { loadPi, type PiSession } from "../contenders/pi.js"
import { loadTreelog } from "../contenders/treelog.js"
import { sessionIn } from "../data/case-files.js"
import { MIDDLE_BY_PI } from "../data/sessions.js"
import { digestOf } from "../digest.js"
import type { Case, Contender, Question } from "../question.js"
import { work } from "../work.js"

interface Entry {
  readonly type: string
  readonly id: string
}

interface Node {
  readonly entry: Entry
  readonly children: readonly Node[]
  readonly label?: string
}

/** A method that reads the tree or a branch of a session, and a description of its result. */
interface View {
  read(session: Session | PiSession): unknown
  describe(result: unknown): string
}

const getTree: View = { read: (session) => session.getTree(), describe: (roots) => describeTree(roots as Node[]) }
const getBranch: View = {
  read: (session) => session.getBranch(),
  describe: (entries) => describeBranch(entries as Entry[]),
}

/** treelog reads an entry when its node is asked for it. */
const readTree: View = {
  ...getTree,
  read: (session) => {
    const roots = session.getTree() as unknown as Node[]
    for (const { entry } of nodesOf(roots)) if (entry.id === "") return []
    return roots
  },
}

function* nodesOf(roots: readonly Node[]): Generator<Node> {
  const waiting = [...roots]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node
    for (const child of node.children) waiting.push(child)
  }
}

function describeTree(roots: readonly Node[]): string {
  const nodes = [...nodesOf(roots)].map(({ entry, children, label }) => [entry.id, entry.type, label, children.length])
  return `${nodes.length} nodes, ${digestOf(nodes)}`
}

function describeBranch(entries: readonly Entry[]): string {
  return `${entries.length} entries, ${digestOf(entries.map(({ id, type }) => [id, type]))}`
}

type Opener = (folder: string, scratch: string) => Promise<() => Promise<Session> | PiSession>

const openers: Record<string, Opener> = {
  treelog: async (folder, scratch) => {
    const sessions = await loadTreelog(scratch)
    return () => sessions.open(sessionIn(folder), { access: "read" })
  },
  pi: async (folder, scratch) => {
    const pi = await loadPi()
    return () => pi.open(sessionIn(folder), scratch)
  },
}

/** The session is open already. */
const onOpened =
  ({ read, describe }: View) =>
  (opener: Opener): Contender =>
  async (folder, scratch) => {
    const session = await (await opener(folder, scratch))()
    return work(() => read(session), describe)
  }

/** Opening it is part of the work. */
const withOpening =
  ({ read, describe }: View) =>
  (opener: Opener): Contender =>
  async (folder, scratch) => {
    const open = await opener(folder, scratch)
    return work(async () => read(await open()), describe)
  }

function contendersOf(does: (opener: Opener) => Contender): Record<string, Contender> {
  return Object.fromEntries(Object.entries(openers).map(([who, opener]) => [who, does(opener)]))
}

const bars = [{ contender: "treelog", beside: "pi", atLeast: 3 }]

function real(name: string, does: (opener: Opener) => Contender): Case {
  const data = { "session.jsonl": MIDDLE_BY_PI }
  return { name: `${name}, 10k entries, 50 MB`, size: 10_000, data, contenders: contendersOf(does) }
}

function deep(name: string, does: (opener: Opener) => Contender): Case {
  const data = { "session.jsonl": { kind: "chain", entries: 100_000 } } as const
  return { name: `${name}, a chain of 100k`, size: 100_000, data, contenders: contendersOf(does), bars }
}

export const tree: Question = {
  name: "tree",
  asks: "How long does it take to see the tree of a session, or the path to its leaf?",
  rounds: 7,
  cases: [
    { ...real("getTree", onOpened(getTree)), bars },
    { ...real("getBranch", onOpened(getBranch)), bars },
    deep("getTree", onOpened(getTree)),
    deep("getBranch", onOpened(getBranch)),
    real("getTree, then every entry", onOpened(readTree)),
    real("open, then getTree", withOpening(getTree)),
    real("open, then getBranch", withOpening(getBranch)),
  ],
}
