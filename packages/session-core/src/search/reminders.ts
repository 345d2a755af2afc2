/** The elements in which agents put their own words into a prompt. */
const TAGS = [
  "system-reminder",
  "environment_context",
  "environment_details",
  "session_context",
  "user_instructions",
  "current_datetime",
] as const
const OPENING = new RegExp(`<(${TAGS.join("|")})>`, "g")

/** A prompt without what its agent put into it, and that. Linear time. */
export function splitReminders(text: string): { readonly said: string; readonly reminders: string } {
  let [said, reminders, end] = ["", "", 0]
  for (const { index, 0: opening, 1: tag = "" } of text.matchAll(OPENING)) {
    if (index < end) continue
    const closing = `</${tag}>`
    const at = text.indexOf(closing, index + opening.length)
    // An element that is not closed is text of a person.
    if (at === -1) break
    said += text.slice(end, index)
    end = at + closing.length
    reminders += `${reminders === "" ? "" : "\n"}${text.slice(index, end)}`
  }
  return end === 0 ? { said: text, reminders } : { said: `${said}${text.slice(end)}`.trim(), reminders }
}
