/** Whether the value is a text with more than white space: providers reject texts that are only white space. */
export function isFilled(text: unknown): text is string {
  return typeof text === "string" && text.trim() !== ""
}
