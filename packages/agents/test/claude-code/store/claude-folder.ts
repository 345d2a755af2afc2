import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { ClaudeCodeStorage, type ClaudeCodeStorageOptions } from "@treelog/agents/claude-code"
import { claudeFile } from "@treelog-internal/test-kit"
import { onTestFinished } from "vitest"

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
    await writeFile(path, claudeFile(id, cwd, ...said))
    return path
  }
  const say = (path: string, id: string, cwd: string, said: string) => appendFile(path, claudeFile(id, cwd, said))
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

/** The same for one test, which removes it when it ends. */
export async function folderOfTest(): Promise<ClaudeFolder> {
  const folder = await claudeFolder()
  onTestFinished(folder.remove)
  return folder
}

export type ClaudeFolder = Awaited<ReturnType<typeof claudeFolder>>
