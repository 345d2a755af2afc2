import { readFileSync } from "node:fs"
import { PLANTED_KINDS, type PlantedSecret, plantedSecrets } from "@treelog-internal/test-kit/secrets"
import { describe, expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"
import { sessionInPage } from "../session-in-page.js"

// Tokens of every kind in every place where a session keeps text, in every format that it can be exported in.

type Entry = Record<string, unknown>

const TIME = "2026-03-07T14:00:00.000Z"
const message = (fields: Entry): Entry => ({ type: "message", message: { timestamp: 1, ...fields } })
const answer = (block: Entry): Entry =>
  message({ role: "assistant", provider: "p", model: "m", content: [block], stopReason: "stop" })

/** By place: an entry that holds a secret there. */
const PLACES: Readonly<Record<string, (secret: string) => Entry>> = {
  "a message": (secret) => message({ role: "user", content: `use ${secret} for it` }),
  "a block of text": (secret) => answer({ type: "text", text: secret }),
  thinking: (secret) => answer({ type: "thinking", thinking: `they gave me ${secret}` }),
  "tool arguments": (secret) =>
    answer({ type: "toolCall", id: "c", name: "bash", arguments: { env: { VALUE: secret }, list: [secret] } }),
  "the name of a field": (secret) =>
    answer({ type: "toolCall", id: "c", name: "bash", arguments: { [secret]: { [secret]: 1 } } }),
  "JSON in a string": (secret) =>
    message({ role: "user", content: JSON.stringify({ out: JSON.stringify({ line: `\n${secret}\n` }) }) }),
  "a tool result and its details": (secret) =>
    message({
      role: "toolResult",
      toolCallId: "c",
      toolName: "bash",
      content: [{ type: "text", text: `     1\t${secret}` }],
      details: { diff: `+${secret}`, nested: [{ secret }] },
    }),
  "a command and its output": (secret) =>
    message({ role: "bashExecution", command: `curl -H '${secret}' x`, output: `> ${secret}`, exitCode: 1 }),
  "a label": (secret) => ({ type: "label", targetId: "first", label: secret }),
  "a name": (secret) => ({ type: "session_info", name: secret }),
  "a title": (secret) => ({ type: "title_change", title: secret }),
  "custom data": (secret) => ({ type: "custom", customType: secret, data: { deep: [[{ secret }]] } }),
  "a message of an extension": (secret) => ({
    type: "custom_message",
    customType: "note",
    content: secret,
    display: true,
    details: { secret },
  }),
  "a summary": (secret) => ({ type: "branch_summary", fromId: "first", summary: `## Goal\n${secret}` }),
  "a compaction": (secret) => ({
    type: "compaction",
    summary: secret,
    firstKeptEntryId: "first",
    tokensBefore: 1,
    details: { secret },
  }),
  "an unknown kind": (secret) => ({ type: "of tomorrow", secret, [secret]: secret }),
  "an error": (secret) =>
    message({ role: "assistant", provider: "p", model: "m", content: [], stopReason: "error", errorMessage: secret }),
}

/** What stands directly beside a secret, on both sides of it. */
const NEIGHBOURS = [
  "\x1b[32m",
  "\x1b[1;38;5;208m",
  "\\u001b[32m",
  "\\x1b[0m",
  "\\033[0m",
  "%3D",
  "%20",
  "\\u003d",
  "\\x3d",
  "\\n",
  "x",
  "7",
  "_",
  '"',
  "'",
  "`",
  "(",
  "密",
  "\n",
] as const

const FORMATS = ["md", "text", "jsonl", "json", "atif", "sts", "otel", "html"]
/** Formats of other programs: they have no place for labels, data of extensions, and unknown kinds of entries. */
const NARROWER: ReadonlySet<string> = new Set(["atif", "sts", "otel"])
const places = Object.entries(PLACES)
/** Each kind comes to each place. */
const secrets = plantedSecrets(PLANTED_KINDS.length * places.length, 11)

function storePlanted(box: Sandbox): string {
  const entries: Entry[] = [{ ...message({ role: "user", content: "Begin" }), id: "first" }]
  for (const [index, { text }] of secrets.entries()) {
    const [, make] = places[index % places.length] ?? ["", PLACES["a message"]]
    if (make) entries.push({ ...make(text), id: `e${index}` })
  }
  const lines = entries.map(({ type, id, ...fields }, index) => ({
    type,
    id,
    parentId: entries[index - 1]?.id ?? null,
    timestamp: TIME,
    ...fields,
  }))
  const inHeader = secrets.slice(0, 6).map(({ text }) => text)
  const header = { title: inHeader[0] ?? "", parentSession: inHeader[1] ?? "", extra: { deep: inHeader.slice(2) } }
  return box.store(lines, { id: "planted", cwd: `${box.project}/${inHeader[2]}`, ...header })
}

/** What somebody gets who looks closely: of a page, what is packed in it, too. */
function allOf(format: string | undefined, exported: string): string {
  return format === "html" ? exported + sessionInPage(exported) : exported
}

/** As it may be written down: with the escapes of JSON, of Markdown and of HTML. */
function isIn(exported: string, { core }: PlantedSecret): boolean {
  const escaped = JSON.stringify(core).slice(1, -1)
  return [core, escaped, core.replace(/[\\`*_[\]<>#&|~]/g, "\\$&")].some((text) => exported.includes(text))
}

describe(`${secrets.length} secrets of ${PLANTED_KINDS.length} kinds in ${places.length + 4} places`, () => {
  test.each(FORMATS.flatMap((format) => [[format], [format, "--all-branches"], [format, "--leaf", "e40"]]))(
    "do not survive an export as %s %s %s",
    async (format, ...more) => {
      const box = sandbox()
      const path = storePlanted(box)
      const { code, stdout, stderr } = await box.run(["export", path, "--format", format ?? "", ...more])
      expect(code).toBe(0)
      const shown = allOf(format, stdout)
      expect(secrets.filter((secret) => isIn(shown, secret)).map(({ kind }) => kind)).toEqual([])
      expect(shown).toContain("[redacted ")
      expect(secrets.filter((secret) => isIn(stderr, secret))).toEqual([])
    },
  )

  test.each(FORMATS)("do not survive an export as %s to a file, and all do with --no-redact", async (format) => {
    const box = sandbox()
    const path = storePlanted(box)
    const file = `${box.folder}/out`
    await box.print("export", path, "--format", format, "-o", file)
    const written = allOf(format, readFileSync(file, "utf8"))
    expect(secrets.filter((secret) => isIn(written, secret)).map(({ kind }) => kind)).toEqual([])
    const { stdout } = await box.run(["export", path, "--format", format, "--all-branches", "--no-redact"])
    const whole = allOf(format, stdout)
    expect(secrets.filter((secret) => isIn(whole, secret)).length).toBeGreaterThan(
      secrets.length * (NARROWER.has(format) ? 0.6 : 0.8),
    )
  })

  test("are all found by a scan, which prints none", async () => {
    const box = sandbox()
    const path = storePlanted(box)
    const { code, stdout, json } = await box.run(["scan", path, "--json"])
    expect(code).toBe(4)
    expect(secrets.filter((secret) => isIn(stdout, secret))).toEqual([])
    const ids = new Set(json.map(({ entryId }) => entryId))
    expect(secrets.map((_, index) => `e${index}`).filter((id) => !ids.has(id))).toEqual([])
    const people = await box.run(["scan", path])
    expect(secrets.filter((secret) => isIn(people.stdout + people.stderr, secret))).toEqual([])
  })
})

/** In order, which is no multiple of how many there are: in several seeds each kind comes to each neighbour and each place. */
const coloured: readonly PlantedSecret[] = plantedSecrets(PLANTED_KINDS.length * NEIGHBOURS.length, 29).map(
  ({ kind, text, core }, index) => {
    const beside = NEIGHBOURS[Math.floor(index / PLANTED_KINDS.length)] ?? ""
    return { kind: `${kind} beside ${JSON.stringify(beside)}`, text: `${beside}${text}${beside}`, core }
  },
)

describe(`${PLANTED_KINDS.length} kinds beside ${NEIGHBOURS.length} neighbours`, () => {
  function storeColoured(box: Sandbox): string {
    const lines = coloured.map(({ text }, index) => {
      const [, make] = places[index % places.length] ?? ["", PLACES["a message"]]
      return { ...make?.(text), id: `e${index}`, parentId: index === 0 ? null : `e${index - 1}`, timestamp: TIME }
    })
    return box.store(lines, { id: "coloured" })
  }

  test.each(FORMATS)("do not survive an export as %s", async (format) => {
    const box = sandbox()
    const { code, stdout } = await box.run(["export", storeColoured(box), "--format", format, "--all-branches"])
    expect(code).toBe(0)
    const shown = allOf(format, stdout)
    expect(coloured.filter((secret) => isIn(shown, secret)).map(({ kind }) => kind)).toEqual([])
  })
})
