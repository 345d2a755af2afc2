import { isObject, type Json, objectIn, objectsIn } from "@treelog-internal/agent-files"

/** What the model saw of an attachment; newer versions write it, as blocks or as messages without a role. */
export function renderedOf(record: Json): string | Json[] | undefined {
  const attachment = objectIn(record, "attachment") ?? {}
  const rendered = record.rendered ?? attachment.rendered ?? imageReminder(attachment)
  if (typeof rendered === "string") return rendered
  if (!Array.isArray(rendered)) return undefined
  const blocks = rendered.flatMap((item) => renderedBlocks(item) ?? [undefined])
  return blocks.every((block) => block !== undefined) ? blocks : undefined
}

/** What the model gets of an image that the user named: the client does not write its bytes twice. */
function imageReminder({ type, filename, content }: Json): Json[] | undefined {
  const { type: kind, file } = isObject(content) ? content : {}
  if (type !== "file" || kind !== "image" || !isObject(file)) return undefined
  const call = `Called the Read tool with the following input: ${JSON.stringify({ file_path: filename })}`
  const source = { type: "base64", media_type: file.type, data: file.base64 }
  return [{ content: `<system-reminder>\n${call}\n</system-reminder>` }, { type: "image", source }]
}

function renderedBlocks(item: unknown): Json[] | undefined {
  if (!isObject(item)) return undefined
  if (typeof item.type === "string") return [item]
  if (typeof item.content === "string") return [{ type: "text", text: item.content }]
  return Array.isArray(item.content) ? objectsIn(item.content) : undefined
}
