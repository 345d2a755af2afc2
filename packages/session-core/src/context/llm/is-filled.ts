/** Whether it is a text that says something: providers turn down those that are nothing but white space. */
export function isFilled(text: unknown): text is string {
  return typeof text === "string" && text.trim() !== ""
}
