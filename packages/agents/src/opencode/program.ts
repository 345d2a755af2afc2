import { spawn } from "node:child_process"
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import { type Json, objectIn, objectsIn, parsedObject, textIn } from "@treelog-internal/agent-files"
import { type Env, type FsPort, textIfThere } from "@treelog-internal/agent-files/write"

// Sessions are written by opencode itself: it alone knows how its database is, and writes it while other processes of it do.

/** A session as `opencode export` prints it. */
export interface ExportedSession {
  readonly info: Json
  readonly messages: readonly { readonly info: Json; readonly parts: readonly Json[] }[]
}

/** The command `opencode`, in the folder of a session. */
export class OpencodeProgram {
  readonly #cwd: string
  readonly #env: Env

  /** @param folder of its data, which is named `opencode` @throws InvalidArgumentError: it cannot be one of opencode's */
  constructor(folder: string, cwd: string, env: Env) {
    if (basename(folder) !== "opencode")
      throw new TreelogError(
        "InvalidArgumentError",
        `opencode keeps its sessions in a folder "opencode", not in ${folder}.`,
        {
          argument: "dir",
          value: folder,
        },
      )
    this.#cwd = cwd
    this.#env = { ...env, XDG_DATA_HOME: dirname(folder) }
  }

  /** Undefined where there is none. @throws StorageError */
  async exported(id: string): Promise<ExportedSession | undefined> {
    const { code, output, errors } = await this.#run("export", id)
    const { info, messages } = parsedObject(output) ?? {}
    if (code === 0 && info) {
      const read = objectsIn(messages).map((one) => ({
        info: objectIn(one, "info") ?? {},
        parts: objectsIn(one.parts),
      }))
      return { info: info as Json, messages: read }
    }
    if (/not found/i.test(errors)) return undefined
    throw this.#failed(`export ${id}`, code, errors)
  }

  /** Adds a session, or what is new of it. @throws StorageError */
  async import(session: ExportedSession): Promise<void> {
    await inFolder(async (folder) => {
      const file = join(folder, "session.json")
      writeFileSync(file, JSON.stringify(session), { mode: 0o600 })
      const { code, output, errors } = await this.#run("import", file)
      if (code !== 0 || !output.includes(String(session.info.id))) throw this.#failed("import", code, errors + output)
    })
  }

  /** @throws StorageError */
  async delete(id: string): Promise<void> {
    const { code, errors } = await this.#run("session", "delete", id)
    if (code !== 0) throw this.#failed(`session delete ${id}`, code, errors)
  }

  /** The model that a prompt is for where none is named: the one that is set, or was chosen last. @throws StorageError */
  async model(fs: FsPort): Promise<Json> {
    const { code, output, errors } = await this.#run("debug", "config")
    if (code !== 0) throw this.#failed("debug config", code, errors)
    const set = textIn(parsedObject(output) ?? {}, "model")
    if (set !== undefined) return modelOf(set)
    const { XDG_STATE_HOME: state = join(this.#env.HOME ?? "", ".local", "state") } = this.#env
    const [recent] = objectsIn(
      parsedObject((await textIfThere(fs, join(state, "opencode", "model.json"))) ?? "")?.recent,
    )
    if (recent) return { providerID: recent.providerID, modelID: recent.modelID }
    const [first] = (await this.#run("models")).output.split("\n").filter((line) => line.includes("/"))
    if (first !== undefined) return modelOf(first)
    const message = "opencode has no model that a session could go on with: choose one in opencode first."
    throw new TreelogError("InvalidArgumentError", message, { argument: "agent", value: "opencode" })
  }

  /** What it prints goes to a file: what is in a pipe when it ends can be lost. @throws StorageError: it cannot be started */
  #run(...args: readonly string[]): Promise<{ code: number | null; output: string; errors: string }> {
    return inFolder(async (folder) => {
      const [out, err] = [join(folder, "out"), join(folder, "err")]
      const files = [out, err].map((path) => openSync(path, "wx", 0o600))
      try {
        const code = await new Promise<number | null>((resolve, reject) => {
          const child = spawn("opencode", args, { cwd: this.#cwd, env: { ...this.#env }, stdio: ["ignore", ...files] })
          child.once("error", (error: NodeJS.ErrnoException) =>
            reject(this.#failed(String(args[0]), null, error.message, error)),
          )
          child.once("close", resolve)
        })
        return { code, output: readFileSync(out, "utf8"), errors: readFileSync(err, "utf8") }
      } finally {
        files.forEach(closeSync)
      }
    })
  }

  #failed(
    command: string,
    code: number | null,
    why: string,
    cause?: NodeJS.ErrnoException,
  ): TreelogError<"StorageError"> {
    const how = cause ? `cannot be started in the folder of the session, ${this.#cwd}` : `ended with ${code}`
    const message = `\`opencode ${command}\` ${how}: ${why.trim().slice(-500)}`
    return new TreelogError(
      "StorageError",
      message,
      { key: "opencode", operation: "write", errno: cause?.code },
      { cause },
    )
  }
}

/** A name as `provider/model`. */
function modelOf(name: string): Json {
  const at = name.indexOf("/")
  return { providerID: name.slice(0, at), modelID: name.slice(at + 1).trim() }
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "treelog-"))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
