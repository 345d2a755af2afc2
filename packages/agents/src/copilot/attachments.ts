import type { ContentBlock } from "@treelog/session-core"
import { isObject, type Json, textIn } from "../kit.js"

/** What an attachment is behind the prompt: a line, in a tag that those of the kind share. In the order of Copilot CLI. */
const LINES: readonly (readonly [tag: string, kinds: RegExp, line: (attached: Json) => string])[] = [
  ["tagged_files", /^(?:file|directory)$/, ({ taggedFilesEntry: line }) => (typeof line === "string" ? line : "")],
  [
    "github_references",
    /^github_reference$/,
    (of) => `#${of.number} - ${of.title} [${of.referenceType}] [${of.state}]`,
  ],
  ["github_commits", /^github_commit$/, (of) => `${nameOf(of)} - ${of.oid} - ${of.message}`],
  ["github_releases", /^github_release$/, (of) => `${nameOf(of)} - ${of.name} (${of.tagName})`],
  ["github_actions_jobs", /^github_actions_job$/, jobLine],
  ["github_repositories", /^github_repository$/, repositoryLine],
  ["github_file_diffs", /^github_file_diff$/, (of) => `${fileIn(of.base, "added")} -> ${fileIn(of.head, "deleted")}`],
  ["github_tree_comparisons", /^github_tree_comparison$/, (of) => `${revisionOf(of.base)}...${revisionOf(of.head)}`],
  ["github_urls", /^github_url$/, () => ""],
  ["github_files", /^github_file$/, (of) => fileIn(of)],
  ["github_snippets", /^github_snippet$/, (of) => `${fileIn(of)}${linesOf(of)}`],
]

/** What the attachments put behind the text of a prompt: files and folders, what is on GitHub, and what extensions say. */
export function attachedText(attachments: readonly Json[]): string {
  const blocks = LINES.flatMap(([tag, kinds, lineOf]) => {
    const own = attachments.filter(({ type }) => kinds.test(String(type)))
    const lines = own.map((one) => withLink(lineOf(one), textIn(one, "url"))).filter((line) => line !== "")
    return lines.length === 0 ? [] : `<${tag}>\n${lines.join("\n")}\n</${tag}>`
  })
  blocks.push(...attachments.flatMap((one) => (one.type === "extension_context" ? extensionContext(one) : [])))
  return blocks.length === 0 ? "" : `\n\n\n\n${blocks.join("\n\n")}`
}

/** What an attachment is beside the text: a picture, with its name or path before it, or a text that was attached as such. */
export function attachedBlocks(attached: Json): ContentBlock[] {
  const { type, data, mimeType = "" } = attached
  if (typeof data !== "string" || typeof mimeType !== "string") return []
  const name = textIn(attached, "displayName")
  if (mimeType.startsWith("image/")) {
    const path = textIn(attached, "path")
    const text = path === undefined ? (name ?? "Attached image") : `Image file at path ${path}`
    // Pictures of old versions have no type, and nothing before them.
    return [...(type === undefined ? [] : [{ type: "text" as const, text }]), { type: "image", data, mimeType }]
  }
  if (!/^(?:text\/|application\/json$)/.test(mimeType)) return []
  const said = Buffer.from(data, "base64").toString("utf8")
  const text = `<attachment mimeType="${mimeType}" name="${name ?? "Attached text"}">\n${said}\n</attachment>`
  return [{ type: "text", text }]
}

function withLink(line: string, url: string | undefined): string {
  if (url === undefined) return line
  return line === "" ? url : `${line} (${url})`
}

function nameOf({ repo }: Json): string {
  return isObject(repo) ? `${repo.owner}/${repo.name}` : ""
}

function jobLine(of: Json): string {
  return `${nameOf(of)} - ${of.jobName} [${of.workflowName}] [${of.conclusion ?? "in_progress"}]`
}

function repositoryLine(of: Json): string {
  const ref = of.ref === undefined ? "" : `@${of.ref}`
  return `${nameOf(of)}${ref}${of.description === undefined ? "" : ` - ${of.description}`}`
}

/** A file of a repository. @param missing what it is said to be where it is missing on that side of a comparison */
function fileIn(of: unknown, missing = ""): string {
  return isObject(of) ? `${nameOf(of)}:${of.path}@${of.ref}` : `(${missing})`
}

function revisionOf(of: unknown): string {
  return isObject(of) ? `${nameOf(of)}:${of.revision}` : ""
}

function linesOf({ lineRange }: Json): string {
  return isObject(lineRange) ? `#L${lineRange.start}-L${lineRange.end}` : ""
}

function extensionContext({ extensionId, title, capturedAt, payload }: Json): string {
  const named = Object.entries({ extensionId, title, capturedAt }).filter(([, value]) => value !== undefined)
  const attributes = named.map(([name, value]) => ` ${name}="${escaped(String(value))}"`).join("")
  return `<extension_context${attributes}><payload>${escaped(JSON.stringify(payload) ?? "")}</payload></extension_context>`
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign)
}
