import { cleanLine } from "../render/clean-text.js"
import { FileChanges } from "../render/file-changes.js"
import type { ExportFormat } from "./export-format.js"
import { itemMarkdown } from "./md/item-markdown.js"
import { codeSpan, plainText } from "./md/markdown-text.js"

/** A document to be read, or put on a page: a heading for each message, edits as diffs, other tool calls and thinking folded. */
export const mdFormat: ExportFormat = {
  scope: "branch",
  hasImages: true,
  isJson: false,
  async *render(source) {
    const { name, sessionId, cwd, header } = await source.head()
    const facts = [
      ["Session", sessionId],
      ["Folder", cwd],
      ["Started", header.timestamp],
    ].flatMap(([fact, value]) => (cleanLine(value) === "" ? [] : `- ${fact}: ${codeSpan(cleanLine(value))}`))
    yield { text: `# ${plainText(cleanLine(name) || "Session")}\n\n${facts.join("\n")}\n- Times: UTC\n` }
    const changes = new FileChanges()
    let last: string | null | undefined
    for await (const item of source.items()) {
      const { id, parentId } = item.entry
      if (source.isWhole && last !== undefined && last !== parentId)
        yield {
          text: `\n---\n\n*${parentId === null ? "From the beginning" : `Goes on at ${codeSpan(cleanLine(parentId))}`}*\n`,
        }
      yield { text: itemMarkdown(item, changes) }
      last = id
    }
  },
}
