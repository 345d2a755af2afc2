import type { Message, SessionEntry } from "@treelog/session-core"
import { estimateTokens, serializeConversation } from "@treelog/session-core/compaction"
import {
  convertToLlm,
  repairContext,
  toAnthropicMessages,
  toModelMessages,
  toOpenAIInput,
  toOpenAIMessages,
  toUIMessages,
} from "@treelog/session-core/messages"
import { entryFacts } from "@treelog/session-core/search"
import { describe, expect, it } from "vitest"

const PDF = "JVBERi0x"
const pdf = {
  type: "document",
  source: { type: "base64", media_type: "application/pdf", data: PDF },
  title: "spec.pdf",
}
const terms = {
  type: "document",
  source: { type: "text", media_type: "text/plain", data: "The clause applies." },
  title: "terms.txt",
}
const linked = { type: "document", source: { type: "url", url: "https://example.org/a.pdf" } }
const openai = { type: "input_file", filename: "b.pdf", file_data: `data:application/pdf;base64,${PDF}` }
const ofSdk = {
  type: "uiPart",
  part: { type: "file", mediaType: "application/pdf", filename: "c.pdf", url: `data:application/pdf;base64,${PDF}` },
}

const user = (...content: object[]): Message => ({ role: "user", content, timestamp: 1 }) as unknown as Message
const call: Message = {
  role: "assistant",
  content: [{ type: "toolCall", id: "c1", name: "read", arguments: {} }],
  provider: "x",
  model: "y",
  timestamp: 1,
}
const result = (...content: object[]): Message =>
  ({
    role: "toolResult",
    toolCallId: "c1",
    toolName: "read",
    content,
    isError: false,
    timestamp: 1,
  }) as unknown as Message
const URL = `data:application/pdf;base64,${PDF}`

describe("documents in a prompt", () => {
  it("go to Anthropic as they were, and those of others in its form", () => {
    expect(toAnthropicMessages([user(pdf, terms, linked)], { repair: false }).messages[0]?.content).toEqual([
      pdf,
      terms,
      linked,
    ])
    expect(toAnthropicMessages([user(openai, ofSdk)], { repair: false }).messages[0]?.content).toEqual([
      { ...pdf, title: "b.pdf" },
      { ...pdf, title: "c.pdf" },
    ])
    const sheet = { ...openai, file_data: "data:application/vnd.ms-excel;base64,YSxi" }
    expect(JSON.stringify(toAnthropicMessages([user(sheet)], { repair: false }))).toContain(
      "Document left out: this API reads no application/vnd.ms-excel.",
    )
  })

  it("are texts for all where they are files of text, and images with an address where an API fetches those", () => {
    const fileOf = (mediaType: string, url: string) => ({ type: "uiPart", part: { type: "file", mediaType, url } })
    const sheet = { ...openai, filename: "a.csv", file_data: "data:text/csv;base64,w6Qs4oKs" }
    const address = "https://example.org/a.png"
    const said = [user(sheet, fileOf("image/png", address), fileOf("audio/wav", "data:audio/wav;base64,UklG"))]
    const text = "[a.csv]\nä,€"
    const left = "[Document left out: this API reads no audio/wav.]"
    for (const repair of [true, false]) {
      expect(toAnthropicMessages(said, { repair }).messages[0]?.content).toEqual([
        { type: "text", text },
        { type: "image", source: { type: "url", url: address } },
        { type: "text", text: left },
      ])
      expect(toOpenAIInput(said, { repair })).toMatchObject([
        {
          content: [
            { type: "input_text", text },
            { type: "input_image", image_url: address },
            { type: "input_text", text: left },
          ],
        },
      ])
      expect(toOpenAIMessages(said, { repair })).toMatchObject([
        { content: [{ text }, { type: "image_url", image_url: { url: address } }, { text: left }] },
      ])
      expect(toModelMessages(said, { repair })).toMatchObject([
        { content: [{ type: "text", text }, { data: address, mediaType: "image/png" }, { mediaType: "audio/wav" }] },
      ])
    }
  })

  it("are files for OpenAI's responses, and text is text behind its name", () => {
    expect(toOpenAIInput([user(pdf, terms, linked, openai)], { repair: false })).toEqual([
      {
        role: "user",
        content: [
          { type: "input_file", filename: "spec.pdf", file_data: URL },
          { type: "input_text", text: "[terms.txt]\nThe clause applies." },
          { type: "input_file", file_url: "https://example.org/a.pdf" },
          { type: "input_file", filename: "b.pdf", file_data: URL },
        ],
      },
    ])
  })

  it("are files for OpenAI's chat completions, which take no addresses", () => {
    expect(toOpenAIMessages([user(pdf, terms, linked)], { repair: false })).toEqual([
      {
        role: "user",
        content: [
          { type: "file", file: { filename: "spec.pdf", file_data: URL } },
          { type: "text", text: "[terms.txt]\nThe clause applies." },
          { type: "text", text: "[Document left out: this API takes no addresses of files.]" },
        ],
      },
    ])
  })

  it("are file parts for the AI SDK, and for its user interfaces", () => {
    expect(toModelMessages([user(pdf, linked)], { repair: false })[0]?.content).toEqual([
      { type: "file", data: PDF, mediaType: "application/pdf", filename: "spec.pdf" },
      { type: "file", data: "https://example.org/a.pdf", mediaType: "application/pdf" },
    ])
    const entry = { type: "message", id: "a", parentId: null, timestamp: "", message: user(pdf, ofSdk) } as SessionEntry
    expect(toUIMessages([entry])[0]?.parts).toEqual([
      { type: "file", mediaType: "application/pdf", filename: "spec.pdf", url: URL },
      ofSdk.part,
    ])
  })
})

describe("documents in a result", () => {
  const read = [call, result(pdf)]

  it("stay in the result where the API takes them there, and follow it where not", () => {
    expect(toAnthropicMessages(read, { repair: false }).messages[1]?.content).toMatchObject([
      { type: "tool_result", content: [pdf] },
    ])
    expect(toOpenAIInput(read, { repair: false }).at(-1)).toMatchObject({
      type: "function_call_output",
      output: [{ type: "input_file", filename: "spec.pdf" }],
    })
    expect(toModelMessages(read, { repair: false }).at(-1)).toMatchObject({
      content: [{ output: { type: "content", value: [{ type: "file-data", data: PDF, filename: "spec.pdf" }] } }],
    })
    expect(toOpenAIMessages(read, { repair: false }).slice(1)).toMatchObject([
      { role: "tool", content: "(see the attached file)" },
      { role: "user", content: [{ text: "Files of the results above:" }, { type: "file" }] },
    ])
  })

  it("are text where they are text", () => {
    expect(toOpenAIMessages([call, result(terms)], { repair: false }).at(-1)).toMatchObject({
      role: "tool",
      content: "[terms.txt]\nThe clause applies.",
    })
  })
})

describe("a document", () => {
  const gone = { ...pdf, source: { ...pdf.source, data: `blob:sha256:${"0".repeat(64)}` } }

  it("without its data becomes a note, repaired or not", () => {
    for (const messages of [[user(gone)], repairContext([user(gone)]).messages])
      expect(JSON.stringify(toOpenAIInput(messages, { repair: false }))).toMatch(
        /Document left out: blob:sha256:0+ was not restored\./,
      )
  })

  it("is kept by a repair in prompts and results", () => {
    const messages = [user(pdf), call, result(terms)]
    expect(repairContext(messages)).toMatchObject({ messages, changes: [] })
  })

  it("is found by its name, and by its text", () => {
    const entry = { type: "message", id: "a", parentId: null, timestamp: "", message: user(pdf, terms) } as SessionEntry
    expect(entryFacts(entry).texts).toEqual([{ role: "user", text: "spec.pdf\nterms.txt\nThe clause applies." }])
  })

  it("is mentioned to a summarizer without its data, and counts as tokens", () => {
    expect(serializeConversation([user(pdf, terms)])).toBe(
      "[User]: [document spec.pdf]\n[document terms.txt]\nThe clause applies.",
    )
    expect(estimateTokens(user(pdf))).toBe(1200)
    expect(estimateTokens(user(terms))).toBe(5)
  })
})

describe("a block that no API's form has", () => {
  it("is reported once a message and type, with the place of its message", () => {
    const odd = { type: "hologram", data: "x" }
    expect(convertToLlm([user({ type: "text", text: "hi" }), user(odd, odd, { type: "smell" })]).diagnostics).toEqual([
      {
        kind: "unknown-block",
        index: 1,
        message: "Message 1 has a block of type hologram, which no API's form has; that block is left out.",
      },
      {
        kind: "unknown-block",
        index: 1,
        message: "Message 1 has a block of type smell, which no API's form has; that block is left out.",
      },
    ])
  })
})
