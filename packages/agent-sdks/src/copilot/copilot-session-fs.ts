import { TreelogError } from "@treelog/session-core"
import { assertPart, lastPart, type ObjectName } from "../objects/object-name.js"
import { type HeldObject, ObjectStore, type ObjectStoreOptions } from "../objects/object-store.js"
import type { CopilotDirectoryEntry, CopilotFileInfo } from "./copilot-types.js"
import { CopilotFileError } from "./file-error.js"
import { normalPath, parentOf, within } from "./file-path.js"
import { type FoundFiles, foundFiles } from "./found-files.js"

/** Whose files, and where to store them. */
export interface CopilotSessionFsOptions extends ObjectStoreOptions {
  /** Identifies the session within the prefix. */
  readonly sessionId: string
}

/**
 * The `SessionFsProvider` of the GitHub Copilot SDK in any storage of treelog, for `conventions: "posix"`. Each file of the session is
 * one object. A change is durable when its method resolves; the changes of a file by one process are stored in the order of the calls.
 * Several processes may append to one file. A directory exists while something is in it, or from `mkdir` to `rm`.
 *
 * Methods throw `CopilotFileError` with the codes of the operating system, `InvalidArgumentError` for a path that leaves the root, and
 * SessionBusyError and StorageError of the storage. File modes are ignored.
 */
export class CopilotSessionFs {
  readonly #objects: ObjectStore
  readonly #folder: ObjectName

  /** @throws InvalidArgumentError for an invalid prefix or session id */
  constructor({ sessionId, ...options }: CopilotSessionFsOptions) {
    assertPart("sessionId", sessionId)
    this.#objects = new ObjectStore(options, "copilot")
    this.#folder = [this.#objects.prefix, sessionId]
  }

  /** @throws CopilotFileError: ENOENT, EISDIR */
  async readFile(path: string): Promise<string> {
    const file = normalPath(path)
    const found = await this.#objects.read(this.#nameOf(file))
    if (found?.object.kind !== "file") {
      const { exists } = await this.#find(file)
      throw new CopilotFileError(exists ? "EISDIR" : "ENOENT", "read", file)
    }
    // As Node does it: a killed writer may have stored the first bytes of a character.
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(found.content)
  }

  /** Stores a file as a whole. Parent directories need not exist. @throws CopilotFileError: EISDIR, ENOTDIR */
  async writeFile(path: string, content: string, _mode?: number): Promise<void> {
    await this.#change("write", path, content, (held, bytes) => held.write(bytes))
  }

  /**
   * Appends: all of the content, or nothing. Parent directories and the file need not exist.
   * @throws CopilotFileError: EISDIR, ENOTDIR
   */
  async appendFile(path: string, content: string, _mode?: number): Promise<void> {
    await this.#change("append to", path, content, (held, bytes) => held.append(bytes))
  }

  async exists(path: string): Promise<boolean> {
    return (await this.#find(normalPath(path))).exists
  }

  /** @throws CopilotFileError: ENOENT */
  async stat(path: string): Promise<CopilotFileInfo> {
    return (await this.#findExisting("stat", path)).info()
  }

  /** @throws CopilotFileError: EEXIST; ENOENT without `recursive` when the parent does not exist; ENOTDIR */
  async mkdir(path: string, recursive: boolean, _mode?: number): Promise<void> {
    const directory = normalPath(path)
    await this.#assertParents("mkdir", directory)
    if (!recursive) await this.#findExisting("mkdir", parentOf(directory))
    const found = await this.#find(directory)
    if (found.isFile || (found.exists && !recursive)) throw new CopilotFileError("EEXIST", "mkdir", directory)
    if (directory === "/") return
    await this.#objects.change(this.#nameOf(directory), async (held) => {
      const other = await held.find()
      if (other && (other.kind === "file" || !recursive)) throw new CopilotFileError("EEXIST", "mkdir", directory)
      if (!other) await held.write(new Uint8Array(), { kind: "directory" })
    })
  }

  /** @throws CopilotFileError: ENOENT, ENOTDIR */
  async readdir(path: string): Promise<string[]> {
    return (await this.readdirWithTypes(path)).map(({ name }) => name)
  }

  /** @throws CopilotFileError: ENOENT, ENOTDIR */
  async readdirWithTypes(path: string): Promise<CopilotDirectoryEntry[]> {
    const found = await this.#findExisting("readdir", path)
    if (found.isFile) throw new CopilotFileError("ENOTDIR", "readdir", found.path)
    return found.entries()
  }

  /** Repeat a call that was interrupted. @throws CopilotFileError: ENOENT without `force`; ENOTEMPTY without `recursive` */
  async rm(path: string, recursive: boolean, force: boolean): Promise<void> {
    const found = force ? await this.#find(normalPath(path)) : await this.#findExisting("rm", path)
    if (found.hasEntries && !recursive) throw new CopilotFileError("ENOTEMPTY", "rm", found.path)
    for (const { name } of found.objects) await this.#objects.change(name, (held) => held.remove())
  }

  /**
   * Moves a file, in place of one that has the new name, or a directory, file by file: repeat a call that was interrupted.
   * @throws CopilotFileError: ENOENT; EISDIR, ENOTDIR or ENOTEMPTY when the new name is taken; EINVAL
   */
  async rename(src: string, dest: string): Promise<void> {
    const from = await this.#findExisting("rename", src)
    const to = await this.#find(normalPath(dest))
    if (from.path === to.path) return
    if (to.path.startsWith(within(from.path))) throw new CopilotFileError("EINVAL", "rename", to.path)
    await this.#assertParents("rename", to.path)
    if (from.isFile && to.isDirectory) throw new CopilotFileError("EISDIR", "rename", to.path)
    if (from.isDirectory && to.isFile) throw new CopilotFileError("ENOTDIR", "rename", to.path)
    if (to.hasEntries) throw new CopilotFileError("ENOTEMPTY", "rename", to.path)
    for (const { name } of from.objects)
      await this.#objects.move(name, this.#nameOf(to.path + lastPart(name).slice(from.path.length)))
  }

  /** Writes to a file, which is created if no directory is in its place. */
  async #change(
    operation: string,
    path: string,
    content: string,
    write: (held: HeldObject, bytes: Uint8Array) => Promise<unknown>,
  ): Promise<void> {
    const bytes = encodedText(content)
    const file = normalPath(path)
    await this.#objects.change(this.#nameOf(file), async (held) => {
      const kind = (await held.find())?.kind
      if (kind === "directory" || (kind === undefined && (await this.#find(file)).exists))
        throw new CopilotFileError("EISDIR", operation, file)
      if (kind === undefined) await this.#assertParents(operation, file)
      await write(held, bytes)
    })
  }

  /** @throws CopilotFileError: ENOTDIR */
  async #assertParents(operation: string, path: string): Promise<void> {
    for (let parent = parentOf(path); parent !== "/"; parent = parentOf(parent)) {
      const found = await this.#objects.find(this.#nameOf(parent))
      if (found?.kind === "file") throw new CopilotFileError("ENOTDIR", operation, parent)
    }
  }

  async #findExisting(operation: string, path: string): Promise<FoundFiles> {
    const found = await this.#find(normalPath(path))
    if (!found.exists) throw new CopilotFileError("ENOENT", operation, found.path)
    return found
  }

  async #find(path: string): Promise<FoundFiles> {
    const exact = path === "/" ? undefined : await this.#objects.find(this.#nameOf(path))
    if (exact?.kind === "file") return foundFiles(path, [exact])
    const found = exact ? [exact] : []
    for await (const object of this.#objects.list(this.#folder)) {
      if (lastPart(object.name).startsWith(within(path))) found.push(object)
    }
    return foundFiles(path, found)
  }

  #nameOf(path: string): ObjectName {
    assertPart("path", path)
    return [...this.#folder, path]
  }
}

/** @throws InvalidArgumentError for half of a surrogate pair, which UTF-8 cannot store */
function encodedText(content: string): Uint8Array {
  const at = content.search(/\p{Cs}/u)
  if (at === -1) return new TextEncoder().encode(content)
  const message = `The content has half of a surrogate pair at ${at}: nothing was stored. Pass whole characters.`
  throw new TreelogError("InvalidArgumentError", message, { argument: "content", value: content.slice(at, at + 1) })
}
