import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { platform, tmpdir } from "node:os"
import { basename, join } from "node:path"
import type { SessionInfo } from "@treelog/session-core"
import { LiveSessions, type LiveState } from "@treelog/stores"
import { type ServedPage, serveSession, serveStores } from "@treelog/viewer"
import { type CommandDefinition, portNumber, SESSION } from "../define/command.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext, StoreOptions } from "../io/command-context.js"
import { commandLine } from "../io/shell-command.js"
import { findToRead } from "../sessions/find-session.js"
import { type CommandSource, openLibrary } from "../sessions/open-library.js"
import { openFound } from "../sessions/open-to-read-or-write.js"
import { openPrices } from "../sessions/prices.js"
import { chosenStore, listed } from "../store/chosen-store.js"
import { blobsOf, storedBlobs } from "../store/command-sessions.js"
import { projectGroups } from "../store/scope.js"
import { sharingOf } from "../transfer/share-sessions.js"

export const command: CommandDefinition = {
  job: "read",
  summary: "show sessions in a browser",
  description:
    "Show all sessions in your browser, with search and usage, or one session, live, until Ctrl-C. Writes nothing to the stores.",
  examples: [
    ["treelog view", "all sessions of all agents on this machine"],
    ["treelog view @last", "the newest session of this folder"],
    ["treelog view 01a1ffe2 --no-open", "print the address only"],
    ["treelog view @last --port 8080", "on a port that you choose"],
  ],
  arguments: [["[session]", `${SESSION} (default: the page of all sessions)`]],
  options: [
    ["--no-open", "print the address only, do not open a browser"],
    ["--port <port>", "port of the server (default: any free port)", { parse: portNumber }],
  ],
  run: view,
}

/** What is served, for those who read what the command prints. */
interface Shown {
  /** For people. */
  readonly what: string
  /** The document of `--json`, without the URL. */
  readonly document: object
  readonly served: ServedPage
}

/** What a served page is reached by. */
type Where = Pick<Parameters<typeof serveSession>[0], "token" | "port">

/** How many random bytes the token in the address has. */
const TOKEN_BYTES = 24

/**
 * Serves a session as a page for this machine, and follows it, until Ctrl-C; without one, the page of all sessions. That page writes
 * nothing but the index, in treelog's own cache folder, when it searches; the page of a session writes nothing.
 */
export async function view(
  context: CommandContext,
  ref: string | undefined,
  { open, port = 0 }: { readonly open: boolean; readonly port?: number },
): Promise<ExitCode> {
  const where: Where = { token: randomBytes(TOKEN_BYTES).toString("base64url"), port }
  const shown = await (ref === undefined ? serveAllSessions(context, where) : serveOneSession(context, ref, where))
  await context.hold(untilInterrupted(context, shown, open))
  return EXIT.interrupted
}

async function serveOneSession(context: CommandContext, ref: string, where: Where): Promise<Shown> {
  const found = await findToRead(context, ref)
  const { source, key } = found
  const session = await openFound(context, found)
  const sessionId = session.getSessionId()
  const title = session.getSessionName() || sessionId
  await session.close()
  const served = await serveSession({
    storage: source.storage,
    key,
    blobs: await blobsOf(source, key)?.read(),
    ...where,
    title,
    fileName: source.files ? basename(key) : `${sessionId}.jsonl`,
    sharing: sharingOf(context, source),
    resume: resumeCommand(source.options, sessionId),
    price: (await openPrices(context.io)).at(),
  })
  return { served, what: sessionId, document: { sessionId, path: key } }
}

/** Serves the page of all sessions: of the store that is named, else of those of all programs that have one on this machine. */
async function serveAllSessions(context: CommandContext, where: Where): Promise<Shown> {
  const library = await openLibrary(context)
  const nameOf = (source: CommandSource): string => source.program ?? storeName(context, source)
  const served = await serveStores<CommandSource>({
    sessions: library,
    nameOf,
    extrasOf: async (source) => ({
      sharing: sharingOf(context, source),
      resume: (id) => resumeCommand(source.options, id),
      blobs: await storedBlobs(source)?.read(),
    }),
    prices: await openPrices(context.io),
    projectOf: projectGroups(context),
    live: () => liveStates(context.io),
    home: context.io.env.HOME,
    ...where,
  })
  const stores = library.sources.map((source) => ({ name: nameOf(source), address: source.address }))
  return { served, what: `the sessions of ${listed(stores.map(({ name }) => name))}`, document: { stores } }
}

/** Only of sessions that were written to in the last day, or that a process has: others are left as they are. */
async function liveStates(
  io: CommandContext["io"],
): Promise<(session: SessionInfo & { readonly source: CommandSource }) => Promise<LiveState | undefined>> {
  const live = await LiveSessions.at(io.now(), io)
  const since = io.now() - 24 * 60 * 60 * 1000
  return async (session) => ((await live.isCandidate(session, since)) ? live.stateOf(session) : undefined)
}

/** What goes on with a session; nothing for a database, whose address may have a password. */
function resumeCommand(options: StoreOptions, id: string): string | undefined {
  return options.store?.includes("://") ? undefined : commandLine(["resume", id], options)
}

/** The name of the one store that is meant, in addresses of the page: that of a program, or else what kind of store it is. */
function storeName({ io }: CommandContext, { options }: CommandSource): string {
  const { name } = chosenStore({ io, options })
  if (name.kind === "agent") return name.store
  return name.kind === "files" ? (name.preset ?? "files") : "database"
}

/** Prints the URL, opens a browser in a terminal, and serves the page until Ctrl-C. */
async function untilInterrupted(
  context: CommandContext,
  { what, document, served: { url, close } }: Shown,
  open: boolean,
): Promise<void> {
  const { interrupted, terminal } = context.io
  const folder = open && terminal() ? await mkdtemp(join(tmpdir(), "treelog-view-")) : undefined
  try {
    await context.report({ ...document, url }, [url])
    await context.log(`Serving ${what} on this machine only; Ctrl-C stops.`)
    if (folder !== undefined && !interrupted.aborted && !(await openInBrowser(url, folder)))
      await context.log("No browser could be started; open the address yourself.")
    if (!interrupted.aborted)
      await new Promise<void>((resolve) => interrupted.addEventListener("abort", () => resolve(), { once: true }))
  } finally {
    await close()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}

/** The program that opens an address in the user's browser. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
}

/**
 * Opens an address of ours in a browser, which lives on after this process. Every user of the machine can read the arguments of a
 * process, so that it gets a file that leads to the address, and that only this user can read.
 * @param folder of this user alone
 * @returns false where there is nothing that could
 */
async function openInBrowser(url: string, folder: string): Promise<boolean> {
  const [command = "", ...given] = OPENERS[platform()] ?? ["xdg-open"]
  const file = join(folder, "open.html")
  await writeFile(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">\n`, {
    flag: "wx",
    mode: 0o600,
  })
  const opener = spawn(command, [...given, file], { stdio: "ignore", detached: true })
  return new Promise((resolve) => {
    opener.once("error", () => resolve(false))
    opener.once("spawn", () => {
      opener.unref()
      resolve(true)
    })
  })
}
