import { isAbsolute, relative, resolve } from "node:path"
import type { Json } from "../json.js"

// Most agents write a file by its text, and change one by an old and a new text. Codex has patches for both, of whole lines. Which lines an old text is in, and
// whether the lines of a patch are there as they are, only the text of the file says: one that is not known in the session is not guessed.

/** What a call does, by what its arguments are in all agents. */
export type Said = Map<string, unknown>

/** A patch of one place. */
interface Change {
  readonly kind: "write" | "edit"
  readonly said: Said
}

/** What is known of the texts of files from the calls of a session: all of one, or lines that were read. */
export class KnownTexts {
  readonly #texts = new Map<string, string>()
  readonly #calls = new Map<string, { readonly kind: string; readonly said: Said }>()
  readonly #cwd: string

  /** @param cwd the folder of the session */
  constructor(cwd: string) {
    this.#cwd = cwd
  }

  called(id: string, kind: string, said: Said): void {
    this.#calls.set(id, { kind, said: new Map(said) })
  }

  answered(id: string, result: string, isFailed: boolean): void {
    const { kind, said } = this.#calls.get(id) ?? {}
    this.#calls.delete(id)
    if (!kind || !said || isFailed) return
    const change = kind === "patch" ? this.#changeOf(String(said.get("patch"))) : { kind, said }
    const path = this.#pathIn(change?.said)
    if (!change || path === undefined) return
    const [known, content, old, next] = [
      this.#texts.get(path),
      ...["content", "old", "new"].map((one) => change.said.get(one)),
    ]
    if (change.kind === "read") {
      const lines = numberedLines(result)
      if (lines !== "" && !known?.includes(lines)) this.#texts.set(path, lines)
    } else if (typeof content === "string") this.#texts.set(path, content)
    else if (known !== undefined && typeof old === "string" && typeof next === "string")
      this.#texts.set(
        path,
        change.said.get("all") === true ? known.replaceAll(old, () => next) : known.replace(old, () => next),
      )
  }

  /** A patch as a call that writes or changes a file; undefined where it is more than that, or what it changes is not known. */
  fromPatch(said: Said): Change | undefined {
    const change = this.#changeOf(String(said.get("patch")))
    const path = this.#pathIn(change?.said)
    if (!change || path === undefined) return undefined
    const [old, text] = [change.said.get("old"), this.#texts.get(path)]
    const isThere = typeof old !== "string" || (placeOf(text, old) !== undefined && hasLines(text, old))
    return isThere ? { ...change, said: new Map([...change.said, ["path", path]]) } : undefined
  }

  /** A call that writes or changes a file as a patch; undefined where a patch cannot say the same, or the lines are not known. */
  toPatch(kind: string, said: Said): Said | undefined {
    const path = this.#pathIn(said)
    const short = path === undefined ? "" : relative(this.#cwd, path)
    if (path === undefined || short === "" || short.startsWith("..") || isAbsolute(short)) return undefined
    const content = said.get("content")
    if (kind === "write" && typeof content === "string" && content.endsWith("\n"))
      return patchOf(`Add File: ${short}`, marked("+", content.slice(0, -1)))
    const [old, next, text] = [said.get("old"), said.get("new"), this.#texts.get(path)]
    if (kind !== "edit" || said.get("all") === true || typeof old !== "string" || typeof next !== "string")
      return undefined
    const at = placeOf(text, old)
    // A patch ends each file with a line.
    if (!text?.endsWith("\n") || at === undefined) return undefined
    const start = text.slice(0, at).lastIndexOf("\n") + 1
    const behind = at + old.length
    const end = behind === text.length ? behind : text.indexOf("\n", behind) + 1
    const [removed, added] = [text.slice(start, end), text.slice(start, at) + next + text.slice(behind, end)]
    if (!added.endsWith("\n")) return undefined
    const lines = `${marked("-", removed.slice(0, -1))}\n${marked("+", added.slice(0, -1))}`
    return patchOf(`Update File: ${short}`, `@@\n${lines}`)
  }

  #pathIn(said: Said | undefined): string | undefined {
    const path = said?.get("path")
    return typeof path === "string" ? resolve(this.#cwd, path) : undefined
  }

  #changeOf(patch: string): Change | undefined {
    const [, action, path, body = ""] =
      /^\s*\*\*\* Begin Patch\n\*\*\* (Add|Update) File: (.+)\n([\s\S]*?)\n?\*\*\* End Patch\s*$/.exec(patch) ?? []
    if (path === undefined) return undefined
    const lines = body.split("\n")
    if (action === "Update" && lines[0]?.startsWith("@@")) lines.shift()
    // More than one place, another name, or a line that is nothing of the kind.
    if (!lines.every((line) => (action === "Add" ? line.startsWith("+") : /^[-+ ]/.test(line)))) return undefined
    const of = (marks: string): string[] =>
      lines.filter((line) => marks.includes(line.charAt(0))).map((line) => `${line.slice(1)}\n`)
    const [old, next] = [of("- ").join(""), of("+ ").join("")]
    const change = (kind: Change["kind"], fields: Json): Change => ({
      kind,
      said: new Map(Object.entries({ path, ...fields })),
    })
    if (action === "Add") return change("write", { content: next })
    // The last line of a file need not have an end.
    const isCut = old !== "" && next !== ""
    return change("edit", isCut ? { old: old.slice(0, -1), new: next.slice(0, -1) } : { old, new: next })
  }
}

/** Whether a text has lines as they are. */
function hasLines(text = "", lines: string): boolean {
  return `\n${text}\n`.includes(`\n${lines.replace(/\n$/, "")}\n`)
}

/** Where an old text stands, which has to be there once. */
function placeOf(text: string | undefined, old: string): number | undefined {
  const at = old === "" ? -1 : (text?.indexOf(old) ?? -1)
  return at >= 0 && text?.indexOf(old, at + 1) === -1 ? at : undefined
}

/** Of what a tool returns of a file, the lines that have their number before them. */
function numberedLines(text: string): string {
  const lines = text.split("\n").map((line) => /^\s*\d+(?:\t|→|: )(.*)$/.exec(line)?.[1])
  const end = lines.indexOf(undefined)
  return lines
    .slice(0, end < 0 ? undefined : end)
    .map((line) => `${line}\n`)
    .join("")
}

function marked(mark: string, text: string): string {
  return text
    .split("\n")
    .map((line) => mark + line)
    .join("\n")
}

function patchOf(action: string, body: string): Said {
  return new Map([["patch", `*** Begin Patch\n*** ${action}\n${body}\n*** End Patch`]])
}
