import type { SessionEntry } from "@treelog/session-core"
import { buildSessionContext } from "@treelog/session-core"
import { assistantEntry, assistantMessage, chain, entry, messageEntry, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"

const context = (...entries: SessionEntry[]) => buildSessionContext(chain(...entries))

const answered = (id: string, provider: string, model: string) =>
  messageEntry(id, null, assistantMessage("a", { provider, model }))
const piModel = (id: string, provider: string, modelId: string) =>
  entry("model_change", id, null, { provider, modelId })
const xcshModel = (id: string, model: string, role?: string) =>
  entry("model_change", id, null, { model, ...(role !== undefined && { role }) })
const level = (id: string, thinkingLevel: unknown) => entry("thinking_level_change", id, null, { thinkingLevel })
const mode = (id: string, name: unknown, data?: unknown) => entry("mode_change", id, null, { mode: name, data })
const rules = (id: string, injectedRules: unknown) => entry("ttsr_injection", id, null, { injectedRules })

describe("settings of a context", () => {
  it("have defaults where nothing set them", () => {
    const { thinkingLevel, model, models, mode, modeData, injectedTtsrRules } = context(userEntry("a", null))
    expect({ thinkingLevel, model, models, mode, modeData, injectedTtsrRules }).toEqual({
      thinkingLevel: "off",
      model: null,
      models: {},
      mode: "none",
      modeData: undefined,
      injectedTtsrRules: [],
    })
  })

  it("take the last thinking level; null means off, and what is no level counts for nothing", () => {
    expect(context(level("a", "low"), level("b", "high")).thinkingLevel).toBe("high")
    expect(context(level("a", "low"), level("b", null)).thinkingLevel).toBe("off")
    expect(context(level("a", "low"), level("b", undefined), level("c", 5)).thinkingLevel).toBe("low")
  })

  it("read model changes as pi writes them", () => {
    const { model, models } = context(piModel("a", "p", "m1"), piModel("b", "p", "m2"))
    expect(model).toEqual({ provider: "p", modelId: "m2" })
    expect(models).toEqual({ default: "p/m2" })
  })

  it("read model changes as xcsh and omp write them, with and without a role", () => {
    const { model, models } = context(
      xcshModel("a", "p/m1"),
      xcshModel("b", "q/x/y", "smol"),
      xcshModel("c", "p/m2", "default"),
    )
    expect(model).toEqual({ provider: "p", modelId: "m2" })
    expect(models).toEqual({ default: "p/m2", smol: "q/x/y" })
  })

  it("take the last change of each role", () => {
    const { models } = context(
      xcshModel("a", "p/1", "slow"),
      xcshModel("b", "p/2", "smol"),
      xcshModel("c", "p/3", "slow"),
    )
    expect(models).toEqual({ slow: "p/3", smol: "p/2" })
  })

  it("do not take the model of another role for the model", () => {
    expect(context(xcshModel("a", "p/1"), xcshModel("b", "p/2", "smol")).model).toEqual({ provider: "p", modelId: "1" })
    expect(context(xcshModel("b", "p/2", "smol")).model).toBeNull()
  })

  it("take no notice of changes that name no model", () => {
    const broken = [
      entry("model_change", "b", null),
      xcshModel("c", "no-slash"),
      entry("model_change", "d", null, { provider: 5 }),
    ]
    expect(context(piModel("a", "p", "m"), ...broken)).toMatchObject({
      model: { provider: "p", modelId: "m" },
      models: { default: "p/m" },
    })
  })

  it("take a role like `__proto__` for a name", () => {
    const { models } = context(xcshModel("a", "p/m", "__proto__"))
    expect(Object.entries(models)).toEqual([["__proto__", "p/m"]])
  })

  it("let an answer override an earlier change as the model, and a later change the answer", () => {
    const answer = answered("b", "anthropic", "opus")
    expect(context(piModel("a", "p", "m"), answer).model).toEqual({ provider: "anthropic", modelId: "opus" })
    expect(context(answer, piModel("c", "p", "m")).model).toEqual({ provider: "p", modelId: "m" })
  })

  it("take the default model from the last answer only where no change is on the path", () => {
    const first = answered("b", "anthropic", "opus")
    const second = answered("c", "openai", "gpt")
    expect(context(first, second).models).toEqual({ default: "openai/gpt" })
    expect(context(piModel("a", "p", "m"), first, second).models).toEqual({ default: "p/m" })
    expect(context(first, xcshModel("d", "p/m", "smol")).models).toEqual({ default: "anthropic/opus", smol: "p/m" })
  })

  it("take no model from answers that name none, nor from other roles", () => {
    const nameless = messageEntry("a", null, { role: "assistant", content: [] })
    const asUser = messageEntry("b", null, {
      role: "user",
      content: "u",
      provider: "p",
      model: "m",
      timestamp: 0,
    } as never)
    const broken = entry("message", "c", null, { message: null })
    expect(context(nameless, asUser, broken).model).toBeNull()
  })

  it("take the last mode with its data, and none on leaving", () => {
    expect(context(mode("a", "plan", { file: "x" }))).toMatchObject({ mode: "plan", modeData: { file: "x" } })
    const left = context(mode("a", "plan", { file: "x" }), mode("b", "none"))
    expect(left.mode).toBe("none")
    expect(left).not.toHaveProperty("modeData")
    expect(context(mode("a", "plan"), mode("b", 5)).mode).toBe("plan")
    expect(context(mode("a", "plan", "text"))).not.toHaveProperty("modeData")
  })

  it("join the injected rules in the order in which they first came", () => {
    expect(context(rules("a", ["x", "y"]), rules("b", ["y", "z"]), rules("c", ["x"])).injectedTtsrRules).toEqual([
      "x",
      "y",
      "z",
    ])
    expect(context(rules("a", "x"), rules("b", ["y", 5, null])).injectedTtsrRules).toEqual(["y"])
  })

  it("are those of the whole path, compacted or reset or not, and of nothing off it", () => {
    const entries = [
      ...chain(
        level("a", "high"),
        mode("b", "plan"),
        rules("c", ["x"]),
        piModel("d", "p", "m"),
        userEntry("e", null),
        entry("compaction", "f", null, { summary: "s", firstKeptEntryId: "f", tokensBefore: 1 }),
        entry("reset_boundary", "g", null),
        userEntry("h", null),
      ),
      level("off-path", "low"),
    ]
    expect(buildSessionContext(entries, "h")).toMatchObject({
      thinkingLevel: "high",
      mode: "plan",
      injectedTtsrRules: ["x"],
      models: { default: "p/m" },
    })
  })

  it("are not reported to callers in treelog's own terms", () => {
    expect(context(assistantEntry("a", null))).not.toHaveProperty("defaultModelIsExplicit")
  })
})
