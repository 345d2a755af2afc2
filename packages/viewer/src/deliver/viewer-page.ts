import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { TreelogError } from "@treelog/session-core"

/** Next to this code in the package; the sources use the last build. */
const PAGE = new URL("page/index.html", import.meta.url)
const PAGE_FROM_SOURCE = new URL("../../dist/page/index.html", import.meta.url)

/**
 * Reads the viewer as one self-contained HTML file: host it anywhere, or open it from disk. It shows sessions dropped on it.
 * @throws StorageError when the file is missing in the package
 */
export async function viewerPage(): Promise<string> {
  const path = fileURLToPath(import.meta.url.endsWith(".ts") ? PAGE_FROM_SOURCE : PAGE)
  try {
    return await readFile(path, "utf8")
  } catch (error) {
    const errno = error instanceof Error && "code" in error ? String(error.code) : undefined
    const message = `The page of the viewer is not at ${path}: the package is not whole, or was not built.`
    throw new TreelogError("StorageError", message, { key: path, operation: "read", errno }, { cause: error })
  }
}
