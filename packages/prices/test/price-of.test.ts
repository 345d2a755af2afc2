import { priceOf } from "@treelog/prices"
import { describe, expect, test } from "vitest"
// @ts-expect-error a script, without types
import { tableText } from "../build/write-table.mjs"
import { TABLE } from "./door.js"

const found = (model: string, provider?: string) => {
  const price = priceOf(model, provider)
  return price && `${price.provider}/${price.model}`
}

describe("priceOf", () => {
  test.each([
    ["a dated id", "claude-opus-4-5-20251101", "anthropic", "anthropic/claude-opus-4-5-20251101"],
    ["a date that is not listed", "gpt-5-mini-2025-08-07", "openai", "openai/gpt-5-mini"],
    [
      "an id that its maker lists no more",
      "claude-sonnet-4-20250514",
      "anthropic",
      "anthropic/claude-sonnet-4-20250514",
    ],
    ["a model that nobody lists any more", "claude-opus-4-20250514", "anthropic", "anthropic/claude-opus-4-20250514"],
    [
      "a preview that has ended, at another provider",
      "gemini-3-pro-preview",
      "github-copilot",
      "google/gemini-3-pro-preview",
    ],
    ["a retired model of a maker whose names have no date", "grok-code-fast-1", undefined, "xai/grok-code-fast-1"],
    ["a provider before the model", "anthropic/claude-opus-4-6", undefined, "anthropic/claude-opus-4-6"],
    ["two providers", "openrouter/anthropic/claude-opus-4.8", undefined, "openrouter/anthropic/claude-opus-4.8"],
    [
      "Amazon's name, at the price of the region",
      "eu.anthropic.claude-opus-4-8",
      undefined,
      "amazon-bedrock/eu.anthropic.claude-opus-4-8",
    ],
    [
      "a profile of Amazon",
      "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-8",
      "anthropic",
      "amazon-bedrock/us.anthropic.claude-opus-4-8",
    ],
    ["the name at Databricks", "databricks-claude-sonnet-4-5", "anthropic", "anthropic/claude-sonnet-4-5"],
    ["Google's name", "claude-opus-4-5@20251101", "google-vertex", "anthropic/claude-opus-4-5"],
    ["a path of Google", "publishers/google/models/gemini-2.5-pro", undefined, "google/gemini-2.5-pro"],
    ["the latest", "claude-opus-5-latest", undefined, "anthropic/claude-opus-5"],
    ["a name that is listed as the latest", "gemini-flash-latest", "google", "google/gemini-flash-latest"],
    ["the size of the context", "claude-opus-5[1m]", "anthropic", "anthropic/claude-opus-5"],
    ["an effort", "gpt-5.5 (high)", "openai", "openai/gpt-5.5"],
    ["an effort in the name", "gpt-5.5-xhigh", "openai", "openai/gpt-5.5"],
    ["a name of a user of Droid", "custom:Claude-Sonnet-4.5-[My Proxy]-0", "factory", "anthropic/claude-sonnet-4-5"],
    ["such a name and a date", "custom:claude-opus-4-5-20251101-12", "factory", "anthropic/claude-opus-4-5-20251101"],
    ["that it thinks", "claude-4.5-sonnet-thinking", "cursor", "anthropic/claude-sonnet-4-5"],
    ["that it thinks, and an effort", "claude-opus-4-8-thinking-high", "cursor", "anthropic/claude-opus-4-8"],
    ["an effort, and that it thinks", "claude-4.5-opus-high-thinking", "cursor", "anthropic/claude-opus-4-5"],
    [
      "that it thinks, as a variant",
      "anthropic/claude-opus-4.8:thinking",
      "openrouter",
      "openrouter/anthropic/claude-opus-4.8",
    ],
    ["another case", "Claude-Opus-5", "Anthropic", "anthropic/claude-opus-5"],
    ["the version first", "claude-4.5-sonnet", undefined, "anthropic/claude-sonnet-4-5"],
    ["an agent's name of a provider", "gpt-5", "azure-openai-responses", "azure/gpt-5"],
    ["a maker's model behind a proxy", "claude-opus-5", "our-proxy", "anthropic/claude-opus-5"],
    ["a subscription", "qwen3.8-max", "qwen-token-plan", "qwen-token-plan/qwen3.8-max"],
    ["an open model that nobody else prices here", "gpt-oss-20b", "ollama", undefined],
    [
      "an open model as a gateway names it, in an agent that names no provider",
      "deepseek/deepseek-v3.2",
      "anthropic",
      "openrouter/deepseek/deepseek-v3.2",
    ],
    ["an open model behind a proxy of one's own, in such an agent", "ollama/deepseek-v3.2", "anthropic", undefined],
    ["a family", "claude-opus", undefined, undefined],
    ["a model that is not listed", "claude-opus-9", "anthropic", undefined],
    ["a router, which costs what it chooses", "openrouter/auto", "openrouter", undefined],
    ["no model", "", "anthropic", undefined],
    ["a member of all objects", "__proto__", "constructor", undefined],
    ["a huge name", "x".repeat(1_000_000), undefined, undefined],
  ])("finds %s", (_, model, provider, expected) => {
    expect(found(model, provider)).toBe(expected)
  })

  test("has one price of a model in the table for all times", () => {
    for (const at of [0, Date.UTC(2020, 0), Date.UTC(2100, 0)])
      expect(priceOf("claude-opus-5", undefined, at)).toEqual(priceOf("claude-opus-5"))
  })

  test("has the table that the pinned data makes", () => {
    expect(tableText()).toContain(TABLE)
  })
})
