import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { join } from "node:path"

const SOURCE = /\.(?:[cm]?[jt]sx?|json|md|css)$/
/** Characters: larger files are bundles that nobody reads. */
const LARGEST = 400_000

/** The text of files of source code in a folder and below it, in order, until there are about so many characters. */
export function sourceTexts(folder: string, characters: number): string[] {
  const texts: string[] = []
  let size = 0
  const open = [realpathSync(folder)]
  for (let next = open.pop(); next !== undefined && size < characters; next = open.pop()) {
    for (const { name, isFolder, path } of entriesIn(next)) {
      if (isFolder) open.push(path)
      else if (size < characters && SOURCE.test(name) && statSync(path).size < LARGEST) {
        const text = readFileSync(path, "utf8")
        texts.push(text)
        size += text.length
      }
    }
  }
  return texts
}

/** Links are not followed: below a package they lead to others of its kind. */
function entriesIn(folder: string): { name: string; isFolder: boolean; path: string }[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory(), path: join(folder, entry.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
