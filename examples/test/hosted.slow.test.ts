import type { ChildProcess } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { type AssistantMessage, isEntry, SessionManager, type UserMessage } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import { fromPg, PostgresSessionStorage } from "@treelog/storage-postgres"
import { embeddedBinaries, type StartedPostgres, startPostgres } from "@treelog-internal/test-kit/postgres"
import { killProcess, nextMessage, otherProcesses } from "@treelog-internal/test-kit/processes"
import { FakeS3, serveS3 } from "@treelog-internal/test-kit/s3"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"

const LEASE_MS = 1500
const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const inside = pathOf("../node_modules/.cache")
const replicas = otherProcesses(pathOf("../hosted/server.ts"), { inside, external: ["pg"] })

let postgres: StartedPostgres
let pool: pg.Pool

beforeAll(async () => {
  postgres = await startPostgres(embeddedBinaries(), { fsync: "off" })
  const { host, port, user, password } = postgres
  pool = new pg.Pool({ host, port, user, password, database: "postgres", max: 2 })
  pool.on("error", () => {}) // The server stops before its connections are closed.
})
afterAll(async () => {
  await pool.end()
  await postgres.stop()
})

interface Replica {
  readonly url: string
  readonly process: ChildProcess
}

/** Starts a server. */
async function startReplica(thinkMs: number, more: Record<string, string> = {}): Promise<Replica> {
  const { host, port, user, password } = postgres
  const settings = {
    DATABASE_URL: `postgres://${user}:${password}@${host}:${port}/postgres`,
    PORT: "0",
    LEASE_MS: `${LEASE_MS}`,
    THINK_MS: `${thinkMs}`,
    ...more,
  }
  Object.assign(process.env, settings)
  const child = replicas.start()
  for (const name of Object.keys(settings)) delete process.env[name]
  const chosen = Number(await nextMessage(child))
  expect(chosen).toBeGreaterThan(0)
  return { url: `http://127.0.0.1:${chosen}`, process: child }
}

async function newSession({ url }: Replica): Promise<string> {
  const response = await fetch(`${url}/sessions`, { method: "POST" })
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: string }).id
}

const put = ({ url }: Replica, id: string, prompt: string, signal?: AbortSignal) =>
  fetch(`${url}/sessions/${id}/prompts/${prompt}`, { method: "PUT", body: textOf(prompt), signal: signal ?? null })

/** Every third prompt makes the model call a tool. */
const textOf = (prompt: string) => (Number(prompt.slice(1)) % 3 === 0 ? `How long is the page? ${prompt}` : prompt)

/** Asks one replica after the other until one answers, as a client behind a load balancer does. */
async function ask(all: readonly Replica[], id: string, prompt: string): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const replica = all[attempt % all.length]
    const [outcome] = await Promise.allSettled([replica && put(replica, id, prompt)])
    const response = outcome.status === "fulfilled" ? outcome.value : undefined
    if (response?.status === 200) return ((await response.json()) as { answer: string }).answer
    if (response) {
      expect([423, 503]).toContain(response.status)
      expect(response.headers.get("retry-after")).toBe("1")
    }
    await sleep(100)
  }
}

/** Asserts that the session has each prompt once, with its answer once. */
async function holdsOnce(id: string, answers: ReadonlyMap<string, string>): Promise<void> {
  const sessions = new SessionManager({ storage: new PostgresSessionStorage({ client: fromPg(pool) }) })
  expect((await verifySession(sessions, { id })).diagnostics).toEqual([])
  const session = await sessions.open({ id }, { access: "read" })
  const branch = session.getBranch()
  // Nothing beside the branch: no turn was worked on twice.
  expect(session.getEntries()).toHaveLength(branch.length)
  await session.close()
  const messages = branch.flatMap((entry) => (isEntry(entry, "message") ? [entry.message] : []))
  const prompts = messages.filter((message): message is UserMessage => message.role === "user")
  expect(prompts.map(({ content }) => content)).toEqual([...answers.keys()].map(textOf))
  const replies = messages.filter((message): message is AssistantMessage => message.role === "assistant")
  const texts = replies.flatMap(({ content }) => content).filter(({ type }) => type === "text")
  expect(texts).toEqual([...answers.values()].map((text) => ({ type: "text", text })))
}

describe("two replicas of examples/hosted on one database", () => {
  let [a, b]: Replica[] = []
  beforeEach(async () => {
    ;[a, b] = await Promise.all([startReplica(150), startReplica(150)])
  })
  const both = (): [Replica, Replica] => {
    if (!a || !b) throw new Error("no replicas")
    return [a, b]
  }

  test("a client that leaves a replica in the middle of a turn gets its answer at the other, once", async () => {
    const [first, second] = both()
    const id = await newSession(first)
    const answers = new Map<string, string>()
    for (let number = 1; number <= 9; number++) {
      const prompt = `p${number}`
      const [from, to] = number % 2 === 0 ? [first, second] : [second, first]
      await Promise.allSettled([put(from, id, prompt, AbortSignal.timeout(number * 30))])
      answers.set(prompt, await ask([to, from], id, prompt))
    }
    expect(answers.get("p1")).toBe("I got 1 messages.")
    expect(answers.get("p3")).toBe("1100 characters.")
    await holdsOnce(id, answers)
    // Again, and at either of them: the same answers.
    for (const [prompt, answer] of answers) expect(await ask([second], id, prompt)).toBe(answer)
    const read = await fetch(`${second.url}/sessions/${id}`)
    expect(((await read.json()) as { messages: unknown[] }).messages).toHaveLength(9 * 2 + 3 * 2)
  })

  test("both are asked at the same moment: one answers, and the other says that it is busy", async () => {
    const [first, second] = both()
    const id = await newSession(first)
    const responses = await Promise.all([put(first, id, "p1"), put(second, id, "p1")])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 423])
    expect(await ask([first, second], id, "p1")).toBe("I got 1 messages.")
    await holdsOnce(id, new Map([["p1", "I got 1 messages."]]))
  })

  test("a replica is killed in the middle of turns: the client continues at the other when the lease lapses", async () => {
    let [first, second] = both()
    const id = await newSession(first)
    const answers = new Map<string, string>()
    for (const [number, killAfterMs] of [20, 220].entries()) {
      const prompt = `p${number * 3}` // with a tool: two calls of the model
      const lost = Promise.allSettled([put(first, id, prompt)])
      await sleep(killAfterMs)
      await killProcess(first.process)
      await lost
      answers.set(prompt, await ask([second], id, prompt))
      ;[first, second] = [second, await startReplica(150)]
    }
    await holdsOnce(id, answers)
  })

  test("a replica that was stopped past its lease adds nothing", async () => {
    const [first, second] = both()
    const id = await newSession(first)
    const late = put(first, id, "p3")
    await sleep(100)
    first.process.kill("SIGSTOP")
    const answer = await ask([second], id, "p3")
    first.process.kill("SIGCONT")
    const response = await late
    expect([200, 423, 503]).toContain(response.status)
    await holdsOnce(id, new Map([["p3", answer]]))
  })

  test("an image is stored in the bucket once, and read by all", async () => {
    const bucket = new FakeS3()
    const { endpoint, stop } = await serveS3(bucket)
    const settings = {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket.bucket,
      S3_KEY: bucket.accessKeyId,
      S3_SECRET: bucket.secretAccessKey,
    }
    const [first, second] = [await startReplica(0, settings), await startReplica(0, settings)]
    const id = await newSession(first)
    const look = (replica: Replica, prompt: string) =>
      fetch(`${replica.url}/sessions/${id}/prompts/${prompt}`, { method: "PUT", body: "What is in the picture?" })
    for (const [replica, prompt] of [
      [first, "1"],
      [second, "2"],
    ] as const)
      expect(await (await look(replica, prompt)).json()).toEqual({ answer: "A picture of 30000 bytes." })
    expect([...bucket.objects.keys()].filter((key) => /^[0-9a-f]{64}$/.test(key))).toHaveLength(1)
    await stop()
  })

  test("what is not there is 404", async () => {
    const [first] = both()
    expect((await put(first, "nobody", "p1")).status).toBe(404)
    expect((await fetch(`${first.url}/elsewhere`)).status).toBe(404)
  })
})
