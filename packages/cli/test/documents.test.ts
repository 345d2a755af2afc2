import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import manifest from "../package.json"
import { commands, commandTable, type OptionDefinition, type TableRow } from "./command-table.js"
import { EXIT, GLOBAL_OPTIONS } from "./door.js"
import { schemaName } from "./published-schemas.js"

// What is made of the definitions of the commands: `npm run documents` writes it, and these tests compare it.

const LIST = fileURLToPath(new URL("../src/define/command-list.ts", import.meta.url))

test("The list of commands is that of the files in src/commands.", async () => {
  const rows = commands.map(
    ({ name, command: { job, summary } }) =>
      `  [${[job, name, summary].map((text) => JSON.stringify(text)).join(", ")}],`,
  )
  await expect(`// Made by \`npm run documents\` of the files in commands/: a command is named here without loading it. New ones come last of their job.

import type { JOBS } from "./command.js"

/** The job, the name and the summary of every command, as help has them. */
export const COMMANDS: readonly (readonly [job: (typeof JOBS)[number], name: string, summary: string])[] = [
${rows.join("\n")}
]
`).toMatchFileSnapshot(LIST)
})

const SCHEMAS = fileURLToPath(new URL("../../../docs/schema/v1/", import.meta.url))

/** What `documents.ts` beside a command, or in `src/program`, says of what is printed: a schema, or one for each of several. */
async function documentsIn(folder: string): Promise<object> {
  const { documents } = await import(/* @vite-ignore */ new URL(`../src/${folder}/documents.ts`, import.meta.url).href)
  return documents
}

const TITLES = {
  error: "What a command prints on stderr with --json when it fails.",
  warning: "What a command prints on stderr with --json of what is wrong and ends nothing.",
}

/** Every schema that is published, by the name of its file. */
async function publishedSchemas(): Promise<Map<string, object>> {
  const schemas = new Map<string, object>()
  const add = (name: string, title: string, schema: object) => {
    const $schema = "https://json-schema.org/draft/2020-12/schema"
    const named = { $schema, $id: `urn:treelog:v1:${name}`, title, ...schema }
    // Without its symbols, which say what may be missing.
    schemas.set(name, JSON.parse(JSON.stringify(named)))
  }
  for (const { name, part } of commandTable) {
    const [command = "", child] = name.split(" ")
    if (!("run" in part) || command === "mcp") continue
    const documents = await documentsIn(`commands/${command}`)
    const schema = child === undefined ? documents : documents[child as keyof typeof documents]
    add(schemaName(name), `A document of \`treelog ${name} --json\`.`, schema)
  }
  for (const [name, schema] of Object.entries(await documentsIn("program")))
    add(name, TITLES[name as keyof typeof TITLES], schema)
  return schemas
}

const published = await publishedSchemas()

test.each([...published])("docs/schema/v1/%s.json is made of what stands beside the command.", async (name, schema) => {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(`${SCHEMAS}${name}.json`)
})

test("No schema is published that no command has.", () => {
  // What is missing is written by the tests before, at the end of this file.
  const names = [...published.keys()].map((name) => `${name}.json`)
  expect(readdirSync(SCHEMAS).filter((name) => !names.includes(name))).toEqual([])
})

const PAGE = fileURLToPath(new URL("../man/treelog.1", import.meta.url))
const NO_GROFF = spawnSync("groff", ["--version"]).error !== undefined && "groff is not installed"

test("The manual page is that of the commands that there are.", async () => {
  await expect(manPage()).toMatchFileSnapshot(PAGE)
  for (const { name } of commandTable) expect(manPage()).toContain(`.SS "treelog ${name}`)
})

test("The manual page is in the package, where installers look for it.", () => {
  expect(manifest.man).toBe("man/treelog.1")
  expect(manifest.files).toContain("man")
})

test.skipIf(NO_GROFF)(`groff finds no fault with it${NO_GROFF ? ` (skipped: ${NO_GROFF})` : ""}.`, () => {
  const { status, stdout, stderr } = spawnSync("groff", ["-man", "-Kutf8", "-Tutf8", "-ww"], {
    input: manPage(),
    encoding: "utf8",
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  expect(stdout).toContain("TREELOG(1)")
})

const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "Done; also when the reader went away.",
  failed: "Failed.",
  usage: "The command line cannot be understood, or fits several sessions or entries.",
  notFound: "No such session, or no such entry.",
  damaged: "There is damage; or what was looked for, where that is not wanted.",
  locked: "Someone else holds a session for writing.",
  nothing: "No session was examined: there is none where the command looked.",
  interrupted: "Interrupted, or left without an answer.",
}

const ENVIRONMENT: readonly (readonly [string, string])[] = [
  ["TREELOG_AGENT_DIR", "The store; default: ~/.treelog/agent."],
  ["PI_CODING_AGENT_DIR", "The store of pi; default: ~/.pi/agent."],
  ["TREELOG_CACHE_DIR", "Where listings keep what they found out; default: treelog where the platform keeps caches."],
  ["NO_COLOR, FORCE_COLOR, TERM=dumb", "No colours; colours also where nobody looks; no colours and no questions."],
]

/** The manual page of the command, made of the table of its commands. */
function manPage(): string {
  const lines = [
    '.\\" Made of the table of commands by the tests; do not edit.',
    '.TH TREELOG 1 "" "treelog" "User Commands"',
    ".SH NAME",
    "treelog \\- List, read, search, repair and share the sessions of AI coding agents.",
    ".SH SYNOPSIS",
    ".B treelog",
    ".I command",
    "[options]",
    ".SH DESCRIPTION",
    roff("A session is named by its path, its id or the start of it, its name, @last, or @-2 for the second newest."),
    roff("Data goes to standard output, everything else to standard error."),
    ".SH OPTIONS",
    "Every command takes these.",
    ...GLOBAL_OPTIONS.flatMap(optionLines),
    ".SH COMMANDS",
    ...commandTable.flatMap(commandLines),
    ".SH EXIT STATUS",
    ...Object.entries(EXIT).flatMap(([name, code]) =>
      item(String(code), EXIT_MEANINGS[name as keyof typeof EXIT_MEANINGS]),
    ),
    ".SH ENVIRONMENT",
    ...ENVIRONMENT.flatMap(([name, meaning]) => item(name, meaning)),
  ]
  return `${lines.join("\n")}\n`
}

function commandLines({ name, part }: TableRow): string[] {
  const { arguments: args = [], options = [], description, examples, notes } = part
  const width = Math.max(...examples.map(([line]) => line.length))
  return [
    `.SS "treelog ${roff([name, ...args.map(([argument]) => argument), ...(options.length > 0 ? ["[options]"] : [])].join(" "))}"`,
    roff(description),
    ...(notes === undefined ? [] : notes.split(/\n(?=\n)/).flatMap((text) => [".PP", roff(text.trim())])),
    ...args.flatMap(([argument, help, more]) => item(argument, withChoices(help, more?.choices))),
    ...options.flatMap(optionLines),
    ...[".PP", ".nf", ...examples.map(([line, what]) => roff(`  ${line.padEnd(width)}   ${what}`)), ".fi"],
  ]
}

function optionLines([flags, help, more]: OptionDefinition): string[] {
  return more?.isHidden ? [] : item(flags, withChoices(help, more?.choices) + defaultOf(more))
}

function withChoices(description: string, choices: readonly string[] | undefined): string {
  return choices ? `${description} (${choices.join(", ")})` : description
}

/** What help adds to an option that has a default. */
function defaultOf({ default: value, shownDefault }: NonNullable<OptionDefinition[2]> = {}): string {
  return value === undefined ? "" : ` (default: ${shownDefault ?? String(value)})`
}

function item(term: string, text: string): string[] {
  return [".TP", `.B "${roff(term)}"`, roff(text)]
}

/** Text as troff takes it for what it is. */
function roff(text: string): string {
  const escaped = text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll('"', "\\(dq")
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped
}
