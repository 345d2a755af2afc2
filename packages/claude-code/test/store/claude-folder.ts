import { appendFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { ClaudeCodeStorage, type ClaudeCodeStorageOptions } from "../../src/index.js"

let count = 0

/** A line of the user, and the reply to it. */
export function turn(id: string, cwd: string, text: string, parent: string | null = null): string[] {
  const number = String(++count).padStart(12, "0")
  const [user, reply] = [`11111111-0000-4000-8000-${number}`, `22222222-0000-4000-8000-${number}`]
  const common = { sessionId: id, cwd, version: "2.1.0", gitBranch: "main", isSidechain: false, userType: "external" }
  const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  const message = { id: `msg_${number}`, role: "assistant", model: "claude-x", stop_reason: "end_turn", usage }
  return [
    { ...common, type: "user", uuid: user, parentUuid: parent, message: { role: "user", content: text } },
    {
      ...common,
      type: "assistant",
      uuid: reply,
      parentUuid: user,
      requestId: `req_${number}`,
      message: { ...message, content: [{ type: "text", text: `Reply to ${text}` }] },
    },
  ].map((line, index) => JSON.stringify({ ...line, timestamp: `2026-01-02T03:04:0${index}.000Z` }))
}

export const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("")

/** The names, sizes and times of all below a folder. */
export async function stateOf(folder: string): Promise<unknown[]> {
  const state: unknown[] = []
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const { size, mtimeMs, atimeMs: _ } = await stat(join(folder, name))
    state.push([name, size, mtimeMs])
  }
  return state
}

/** A folder of Claude Code with no session, and a storage over it. */
export async function claudeFolder(options: ClaudeCodeStorageOptions = {}) {
  const root = await mkdtemp(join(tmpdir(), "treelog-claude-"))
  const [dir, cacheDir] = [join(root, "claude"), join(root, "cache")]
  await mkdir(join(dir, "projects"), { recursive: true })
  const open = (more: ClaudeCodeStorageOptions = {}) =>
    new ClaudeCodeStorage({ dir, cacheDir, env: {}, ...options, ...more })
  const pathOf = (id: string, cwd: string): string =>
    join(dir, "projects", cwd.replace(/[^a-zA-Z0-9]/g, "-"), `${id}.jsonl`)
  const add = async (id: string, cwd: string, ...said: string[]): Promise<string> => {
    const path = pathOf(id, cwd)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text(said.flatMap((each) => turn(id, cwd, each))))
    return path
  }
  const say = (path: string, id: string, cwd: string, said: string) => appendFile(path, text(turn(id, cwd, said)))
  return {
    root,
    dir,
    cacheDir,
    open,
    storage: open(),
    pathOf,
    add,
    say,
    remove: () => rm(root, { recursive: true, force: true }),
  }
}
