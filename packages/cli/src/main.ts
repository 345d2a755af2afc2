#!/usr/bin/env node
// From argv to exit code: the only file that touches the process.

import type Module from "node:module"
import { version } from "../package.json"
import { OutputError } from "./errors/output-error.js"
import type { Io, Output, PagerCommand, RunningPager } from "./io/io.js"
import type { Load } from "./run.js"

const argv = process.argv.slice(2)

if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V"))
  outputTo(process.stdout, "stdout")
    .write(`${version}\n`)
    .catch((error) => {
      // The reader has closed the pipe.
      if (!(error instanceof OutputError)) return
      process.exitCode = 1
      process.stderr.write(`treelog: ${error.message}\n`)
    })
else start()

/** Carries out the command, and ends the process. */
async function start(): Promise<void> {
  const { existsSync } = process.getBuiltinModule("node:fs")
  const { join } = process.getBuiltinModule("node:path")
  const isNode20 = process.version.startsWith("v20.")
  const compiled = isNode20 && !process.env.NODE_DISABLE_COMPILE_CACHE ? await keptForNode20() : keptByNode()
  const load: Load = async (path) => {
    const bundle = join(import.meta.dirname, path)
    return existsSync(bundle) ? compiled.load(bundle) : import(/* @vite-ignore */ path.replace(/\.js$/, ".mjs"))
  }
  const { run } = (await load("./run.js")) as typeof import("./run.js")
  process.once("beforeExit", endUnfinished)
  const exitCode = await run(argv, ioOfProcess(), load)
  compiled.keep()
  // Everything is written and released. Do not wait for what is still running: an interrupted command's work, or code that
  // the engine is optimising.
  process.exit(exitCode)
}

/** There is nothing left to wait for, and the command is not done: Node would end with 0, and say nothing. */
function endUnfinished(): void {
  const message =
    "The command waits for what never comes: an agent of the setting `agents` that never finishes loading, or a fault of treelog."
  process.stderr.write(`treelog: ${message}\n`)
  process.exit(1)
}

/** Bundles, and how the code that was compiled of them is kept. */
interface CompiledCode {
  /** @param file the absolute path of a bundle */
  load(file: string): unknown
  keep(): void
}

async function keptForNode20(): Promise<CompiledCode> {
  const { openCompiledBundles } = await import("./program/compiled-bundles.js")
  return openCompiledBundles(import.meta.dirname, process.env)
}

function keptByNode(): CompiledCode {
  const module = process.getBuiltinModule("node:module") as typeof Module & { enableCompileCache?: () => void }
  module.enableCompileCache?.()
  return { load: module.createRequire(import.meta.url), keep: () => {} }
}

function ioOfProcess(): Io {
  const interrupt = new AbortController()
  let pager: RunningPager | undefined
  process.on("SIGINT", () => {
    // The second one does not wait for anything but the pager, which has the terminal, and keys of its own.
    if (interrupt.signal.aborted && !pager) process.exit(130)
    interrupt.abort()
  })
  const startPager = async (command: PagerCommand): Promise<RunningPager> => {
    const { runPager } = await import("./io/run-pager.js")
    pager = await runPager(command, process.env)
    return pager
  }
  return {
    stdout: outputTo(process.stdout, "stdout"),
    stderr: outputTo(process.stderr, "stderr"),
    readStdin,
    stdinBytes: () => process.stdin,
    env: process.env,
    cwd: process.cwd(),
    now: () => Date.now(),
    terminal: () =>
      process.stdin.isTTY && process.stderr.isTTY
        ? { input: process.stdin, output: process.stderr, onExit }
        : undefined,
    startPager,
    interrupted: interrupt.signal,
  }
}

function onExit(restore: () => void): () => void {
  const events = ["exit", "SIGHUP", "SIGTERM"]
  const end = (reason: number | NodeJS.Signals): void => {
    restore()
    // Where nothing listens to it any more, it ends the process.
    if (typeof reason === "string") process.kill(process.pid, reason)
  }
  for (const event of events) process.once(event, end)
  return () => {
    for (const event of events) process.off(event, end)
  }
}

/** Writes that fail because the reader has closed the pipe throw the system's error with EPIPE, others an OutputError. */
function outputTo(stream: NodeJS.WriteStream, name: "stdout" | "stderr"): Output {
  // The caller of `write` gets the error; an unhandled event would end the process.
  stream.on("error", () => {})
  return {
    isTTY: stream.isTTY === true,
    // A terminal whose size was never set has none: 0.
    columns: stream.columns || 80,
    rows: stream.rows || 24,
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error?: NodeJS.ErrnoException | null) => {
          if (!error) resolve()
          else reject(error.code === "EPIPE" ? error : new OutputError(name, error))
        })
      }),
  }
}

async function readStdin(): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}
