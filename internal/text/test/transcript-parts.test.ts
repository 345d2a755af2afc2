import { buildTranscript, type SessionEntry } from "@treelog/session-core"
import { entryLine, PLAIN, transcriptLines } from "@treelog-internal/text"
import { expect, test } from "vitest"

const TIME = "2026-11-10T09:00:00.000Z"

test("A result that opens parts of its session has a line for each, and so has an entry that stands for one", () => {
  const results = [{ id: "Scan", description: "scan" }, { id: "Fix" }, { description: "no file" }]
  const message = { role: "toolResult", toolCallId: "c", toolName: "task", content: "done", details: { results } }
  const data = { name: "01a2.jsonl", role: "review", title: "Look at the code" }
  const entries = [
    { type: "message", id: "a", parentId: null, timestamp: TIME, message },
    { type: "custom", id: "b", parentId: "a", timestamp: TIME, customType: "treelog.part", data },
  ] as unknown as SessionEntry[]
  const options = { style: PLAIN, full: false, withData: false, shortId: (id: string) => id }
  const lines = [...transcriptLines(buildTranscript(entries), options)].filter((line) => line.includes("·")).slice(1)
  expect(lines).toEqual([
    "  · subagent Scan.jsonl: scan",
    "  · subagent Fix.jsonl",
    "· b review 01a2.jsonl: Look at the code",
  ])
})

test("The error of a reply is shown once, where the reply itself has its words", () => {
  const linesFor = (text: string) => {
    const content = [{ type: "text", text }]
    const message = { role: "assistant", content, stopReason: "error", errorMessage: "API Error: 400\nno" }
    const entry = { type: "message", id: "a", parentId: null, timestamp: TIME, message } as unknown as SessionEntry
    const options = { style: PLAIN, full: false, withData: false, shortId: (id: string) => id }
    return [...transcriptLines(buildTranscript([entry]), options)].join("\n")
  }
  expect(linesFor("API Error: 400\nno").match(/API Error/g)).toHaveLength(1)
  expect(linesFor("API Error: 400\nno")).toContain("(error)")
  expect(linesFor("Half of it")).toMatch(/Half of it\n {2}\(error\) API Error: 400/)
})

test("A prompt is what was typed, where the model got it in other words, and its pictures; in full it is what the model got", () => {
  const sent = { type: "text", text: "<command-name>/greet</command-name>" }
  const image = { type: "image", mimeType: "image/png", data: "AAAA" }
  const linesFor = (full: boolean, prompt = "/greet Ada") => {
    const message = { role: "user", content: [sent, image], prompt }
    const entry = { type: "message", id: "a", parentId: null, timestamp: TIME, message } as unknown as SessionEntry
    const options = { style: PLAIN, full, withData: false, shortId: (id: string) => id }
    return [...transcriptLines(buildTranscript([entry]), options)].slice(2)
  }
  expect(linesFor(false)).toEqual([
    "  /greet Ada",
    "  [image image/png 3 B]",
    "  … with what the agent added for the model: --full",
  ])
  const whole = ["  <command-name>/greet</command-name>", "  [image image/png 3 B]"]
  expect(linesFor(true)).toEqual(whole)
  // A program said it in the user's place.
  expect(linesFor(false, "")).toEqual(whole)
})

test("In a line of a tree, too, a prompt is what was typed", () => {
  const message = { role: "user", content: "<user_query>\nfix it\n</user_query>", prompt: "fix it" }
  const entry = { type: "message", id: "a", parentId: null, timestamp: TIME, message } as unknown as SessionEntry
  expect(entryLine(entry)).toEqual({ who: "user", text: "fix it" })
})

test("What was edited for the model says so at its head; the edit itself is shown in full alone", () => {
  const message = { role: "user", content: "fix it" }
  const entries = [
    { type: "message", id: "a", parentId: null, timestamp: TIME, message },
    { type: "context_edit", id: "b", parentId: "a", timestamp: TIME, targetId: "a", replacement: { content: "Fix." } },
  ] as unknown as SessionEntry[]
  const linesFor = (full: boolean) => {
    const options = { style: PLAIN, full, withData: full, shortId: (id: string) => id }
    return [...transcriptLines(buildTranscript(entries), options)].filter((line) => line !== "")
  }
  expect(linesFor(false)).toEqual([expect.stringContaining("replaced for the model"), "  fix it"])
  expect(linesFor(true).at(-1)).toBe("· b edits a")
})
