// A sample session: a question, work, a detour that was left, a compaction, pictures.

const START = Date.UTC(2026, 2, 2, 9, 12)
const MINUTE = 60_000

type Fields = Record<string, unknown>

/** Makes the lines of a session; the parent of each entry is the one before, unless `parentId` says otherwise. */
class Scribe {
  readonly lines: string[] = []
  #count = 0
  #leaf: string | null = null
  #time = START

  constructor(header: Fields) {
    this.lines.push(JSON.stringify({ type: "session", version: 3, timestamp: this.#iso(), ...header }))
  }

  add(type: string, fields: Fields, minutes = 0.4): string {
    this.#time += minutes * MINUTE
    const id = (0x5e40b900 + this.#count++ * 0x1357).toString(16)
    this.lines.push(JSON.stringify({ type, id, parentId: this.#leaf, timestamp: this.#iso(), ...fields }))
    this.#leaf = id
    return id
  }

  goBack(id: string): void {
    this.#leaf = id
  }

  message(message: Fields, minutes?: number): string {
    return this.add("message", { message: { ...message, timestamp: this.#time } }, minutes)
  }

  user(content: unknown, minutes = 3): string {
    return this.message({ role: "user", content }, minutes)
  }

  assistant(content: Fields[], spent: { input?: number; cached?: number; output?: number } = {}): string {
    const { input = 1_800, cached = 9_000, output = 420 } = spent
    const cost = { input: input * 3e-6, output: output * 15e-6, cacheRead: cached * 3e-7, cacheWrite: 0 }
    const total = cost.input + cost.output + cost.cacheRead
    return this.message({
      role: "assistant",
      content,
      api: "anthropic-messages",
      provider: "anthropic",
      model: "claude-sonnet-4-5",
      usage: {
        input,
        output,
        cacheRead: cached,
        cacheWrite: 0,
        totalTokens: input + output + cached,
        cost: { ...cost, total },
      },
      stopReason: content.some(({ type }) => type === "toolCall") ? "toolUse" : "stop",
    })
  }

  result(toolCallId: string, toolName: string, text: string, more: Fields = {}): string {
    const content = [{ type: "text", text }]
    return this.message({ role: "toolResult", toolCallId, toolName, content, isError: false, ...more })
  }

  #iso(): string {
    return new Date(this.#time).toISOString()
  }
}

const text = (words: string): Fields => ({ type: "text", text: words })
const thinking = (words: string): Fields => ({ type: "thinking", thinking: words, thinkingSignature: "c2lnbmVk" })
const call = (id: string, name: string, given: Fields): Fields => ({ type: "toolCall", id, name, arguments: given })

/** @param picture base64 of a PNG  @param blob hash of a picture that is not in the session */
export function sampleSession(picture: string, blob: string): string {
  const scribe = new Scribe({ id: "01a1ffe2-d280-7bb1-a556-12fe779ad53a", cwd: "/home/dev/shop" })
  scribe.add("model_change", { provider: "anthropic", modelId: "claude-sonnet-4-5" })
  scribe.add("thinking_level_change", { thinkingLevel: "medium" })
  const question = scribe.user(
    "The API has no rate limits, and someone scraped the whole catalogue last night. Add a limit per API key.\n\nThe middleware lives in `src/server/middleware`.",
  )
  scribe.assistant(
    [
      thinking(
        "I should look at the existing middleware first, and see how keys are read. A token bucket is the usual answer; the store has Redis already, so the counters can live there.",
      ),
      text("I will look at how the middleware is put together first."),
      call("call_1", "read", { path: "src/server/middleware/auth.ts" }),
      call("call_2", "bash", { command: "rg -n 'app.use' src/server --type ts" }),
    ],
    { cached: 0, input: 6_200 },
  )
  scribe.result("call_1", "read", AUTH)
  scribe.result(
    "call_2",
    "bash",
    "src/server/app.ts:14:app.use(requestId())\nsrc/server/app.ts:15:app.use(auth())\nsrc/server/app.ts:19:app.use(json())",
  )
  scribe.assistant(
    [
      text("Keys are on `request.key` after `auth()`. I will add a token bucket behind it."),
      call("call_3", "write", { path: "src/server/middleware/rate-limit.ts", content: RATE_LIMIT }),
    ],
    { cached: 11_000 },
  )
  scribe.result("call_3", "write", "Wrote 27 lines to src/server/middleware/rate-limit.ts")
  scribe.assistant([call("call_4", "edit", { path: "src/server/app.ts", oldText: EDIT_BEFORE, newText: EDIT_AFTER })], {
    cached: 13_400,
    output: 160,
  })
  scribe.result("call_4", "edit", "Edited src/server/app.ts", { details: { diff: EDIT_DIFF } })
  scribe.assistant([call("call_5", "bash", { command: "npm test -- rate-limit" })], { cached: 14_100, output: 80 })
  scribe.result("call_5", "bash", FAILURE, { isError: true })
  const done = scribe.assistant([text(ANSWER)], { cached: 16_800, output: 640 })
  scribe.user("Could the limits live in the database instead, per customer?", 14)
  scribe.assistant(
    [
      thinking("They want limits that can be changed without a release."),
      text("They could. I would read them once a minute and keep them in memory; the bucket stays in Redis."),
      call("call_6", "bash", { command: "npm run migrate -- create customer-limits" }),
    ],
    { cached: 18_900 },
  )
  scribe.result(
    "call_6",
    "bash",
    "\u001b[2m$ migrate create\u001b[0m\n\u001b[1;36mCreated\u001b[0m migrations/0042-customer-limits.sql \u001b[42m OK \u001b[0m",
  )
  const left = scribe.assistant(
    [text("The migration is there, but it locks `customers` for the whole deploy: 4.1 million rows.")],
    { cached: 21_300 },
  )
  scribe.goBack(done)
  scribe.add("branch_summary", {
    fromId: left,
    summary: "Limits **in the database** were tried: the migration locks `customers` for the whole deploy.",
    fromHook: false,
  })
  scribe.user(
    [
      text("Keep them in the configuration then. This is what the dashboard says about last night:"),
      { type: "image", data: picture, mimeType: "image/png" },
    ],
    6,
  )
  scribe.assistant(
    [
      text(
        "One key made 96% of the requests. With 10 requests a second it would have taken eleven hours instead of nine minutes.\n\n| key | requests | share |\n|---|---:|---:|\n| `k_7f2` | 412,008 | 96% |\n| all others | 17,113 | 4% |",
      ),
      call("call_7", "edit", {
        path: "config/default.ts",
        oldText: "export const limits = {}",
        newText:
          "export const limits = {\n  default: { burst: 40, perSecond: 10 },\n  k_7f2: { burst: 5, perSecond: 1 },\n}",
      }),
    ],
    { cached: 17_600 },
  )
  scribe.result("call_7", "edit", "Edited config/default.ts")
  scribe.message(
    {
      role: "bashExecution",
      command: "npm test",
      output: "\u001b[32m✓\u001b[39m 214 tests passed (3.1 s)",
      exitCode: 0,
      cancelled: false,
      truncated: false,
    },
    2,
  )
  scribe.message(
    {
      role: "bashExecution",
      command: "cat .env.production",
      output: "REDIS_URL=redis://10.0.0.4:6379",
      exitCode: 0,
      cancelled: false,
      truncated: false,
      excludeFromContext: true,
    },
    1,
  )
  const works = scribe.assistant(
    [text("All 214 tests pass. The limits are read from `config/default.ts` when the server starts.")],
    { cached: 21_000, output: 90 },
  )
  scribe.add("label", { targetId: works, label: "works" })
  scribe.add("custom", { customType: "todo-extension", data: { items: [{ text: "tell the customers", done: false }] } })
  scribe.add("session_info", { name: "Rate limits for the API" })
  const kept = scribe.user("And the docs: say what a client gets when it is over the limit", 55)
  scribe.assistant([call("call_8", "read", { path: "docs/errors.md" })], { cached: 22_700, output: 60 })
  scribe.result(
    "call_8",
    "read",
    "# Errors\n\n| status | when |\n|---|---|\n| 401 | the key is unknown |\n| 404 | there is no such product |",
  )
  scribe.assistant([text("Added `429` with `Retry-After` to the table, and an example.")], { cached: 24_900 })
  scribe.add("compaction", {
    summary: SUMMARY,
    firstKeptEntryId: kept,
    tokensBefore: 26_840,
    details: { readFiles: ["docs/errors.md"], modifiedFiles: ["src/server/app.ts"] },
    usage: { input: 24_000, output: 600, cacheRead: 0, cacheWrite: 0, totalTokens: 24_600, cost: { total: 0.081 } },
  })
  scribe.add("custom_message", {
    customType: "memory",
    content: "The team prefers configuration over tables.",
    display: true,
    details: { source: "memory-1" },
  })
  scribe.user(
    [
      text("Here is the new page in the docs, is the table fine?"),
      { type: "image", data: `blob:sha256:${blob}`, mimeType: "image/png" },
    ],
    18,
  )
  const reviewed = scribe.assistant([text("It is. I would only move the example above the table.")], {
    cached: 6_200,
    output: 50,
  })
  scribe.goBack(question)
  scribe.user("Forget the middleware, could nginx do it?", 30)
  const nginx = scribe.assistant(
    [
      text(
        "It could, with `limit_req_zone` on the header:\n\n```nginx\nlimit_req_zone $http_x_api_key zone=keys:10m rate=10r/s;\n```\n\nBut then it knows keys, not customers.",
      ),
    ],
    { cached: 4_000 },
  )
  scribe.add("label", { targetId: nginx, label: "nginx idea" })
  scribe.goBack(reviewed)
  scribe.user("Good. Ship it", 12)
  scribe.assistant([text(SHIPPED)], { cached: 7_000, output: 210 })
  return `${scribe.lines.join("\n")}\n`
}

const AUTH = `import type { Middleware } from "../types.js"

/** Reads the key of a request. */
export function auth(): Middleware {
  return async (request, next) => {
    const key = request.headers.get("x-api-key")
    if (key === null) return new Response("no key", { status: 401 })
    request.key = await lookUp(key)
    return next(request)
  }
}`

const RATE_LIMIT = `import type { Middleware } from "../types.js"
import { redis } from "../redis.js"

export interface Limit {
  readonly burst: number
  /** How many tokens come back in a second. */
  readonly perSecond: number
}

/** A token bucket for each key, kept in Redis so that all servers share it. */
export function rateLimit(limitOf: (key: string) => Limit): Middleware {
  return async (request, next) => {
    const { burst, perSecond } = limitOf(request.key)
    const left = await redis.take(\`bucket:\${request.key}\`, burst, perSecond)
    if (left < 0) {
      return new Response("too many requests", {
        status: 429,
        headers: { "retry-after": String(Math.ceil(-left / perSecond)) },
      })
    }
    return next(request)
  }
}`

const EDIT_BEFORE = "app.use(requestId())\napp.use(auth())\n\napp.use(json())"
const EDIT_AFTER =
  "app.use(requestId())\napp.use(auth())\napp.use(rateLimit((key) => limits[key] ?? limits.default))\n\napp.use(json())"
const EDIT_DIFF = ` 14 app.use(requestId())
 15 app.use(auth())
+16 app.use(rateLimit((key) => limits[key] ?? limits.default))
 17
-18 app.use(json())
+18 app.use(json({ limit: "1mb" }))`

const FAILURE = ` FAIL  test/rate-limit.test.ts > answers 429 when the bucket is empty
AssertionError: expected 200 to be 429

  - Expected
  + Received

  - 429
  + 200

 at test/rate-limit.test.ts:31:27`

const ANSWER = `The limit works, but for one thing: \`redis.take\` rounds **down**, so a bucket that is empty by half a token still lets one request through. I mended that:

\`\`\`ts
const left = await redis.take(bucket, burst, perSecond)
if (left < 1) return tooMany(left)
\`\`\`

What changed:

1. \`rate-limit.ts\` is new, with a bucket for each key
2. \`app.ts\` puts it behind \`auth()\`
3. the tests cover bursts, refills and two servers

> The default is 10 requests a second with bursts of 40. That is a guess: look at the logs of a busy day.

- [x] middleware
- [x] tests
- [ ] documentation`

const SUMMARY = `## Goal
A rate limit per API key, so that nobody can scrape the catalogue.

## Progress
### Done
- [x] \`rate-limit.ts\`: a token bucket in Redis
- [x] limits in \`config/default.ts\`
### In Progress
- [ ] documentation of \`429\`

## Key Decisions
- **Configuration, not the database**: the migration would lock \`customers\`.`

const SHIPPED = `Done. The pull request is open, with the three commits in order:

\`\`\`sh
git log --oneline -3
9c1d2aa Say what a client gets when it is over the limit
41be0f7 Read the limits from the configuration
e5f00b2 Limit requests per API key
\`\`\``
