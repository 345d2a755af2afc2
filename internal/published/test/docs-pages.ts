import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { packageFolders, ROOT, readText } from "./repository.js"

const markdownIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)

/** What people read, as paths from the root. */
export const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "examples/README.md",
  "examples/hosted/README.md",
  "bench/README.md",
  ...markdownIn("docs"),
  ...packageFolders.map((folder) => `${folder}/README.md`).filter((page) => existsSync(join(ROOT, page))),
]

/** The code blocks of a page in one language. */
export const codeBlocks = (page: string, language = "ts") =>
  [...readText(page).matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))].map(([, code = ""]) => code)

/** The text of a page without its code blocks. */
export const proseOf = (page: string) => readText(page).replace(/^```.*?^```/gms, "")

/** The pieces of code in the text of a page. */
export const codeSpans = (page: string) => [...proseOf(page).matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)
