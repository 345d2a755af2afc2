import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { TreelogError } from "@treelog/session-core"

/** Beside this code when it is built; the sources find what was built last. */
const PAGE = new URL("page/index.html", import.meta.url)
const PAGE_FROM_SOURCE = new URL("../../dist/page/index.html", import.meta.url)

/**
 * The viewer as one HTML file, which needs nothing else: put it anywhere, or open it from a disk. It shows what is dropped on it.
 * @throws StorageError when the file does not lie where the package has it
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
