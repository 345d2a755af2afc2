import { join } from "node:path"
import { type FsPort, fileChunks, statIfThere } from "@treelog-internal/fs"

/**
 * The provider of models that Codex is set to: it opens a session of another one only where that is set up, too, and editors none without one.
 * @throws StorageError
 */
export async function chosenProvider(fs: FsPort, home: string): Promise<string> {
  const path = join(home, "config.toml")
  if (!(await statIfThere(fs, path))) return "openai"
  const chunks: Buffer[] = []
  for await (const bytes of fileChunks(fs, path)) chunks.push(Buffer.from(bytes))
  // What stands before the first table.
  const [settings = ""] = Buffer.concat(chunks)
    .toString("utf8")
    .split(/^\s*\[/m)
  return /^\s*model_provider\s*=\s*(["'])(.+?)\1/m.exec(settings)?.[2] ?? "openai"
}
