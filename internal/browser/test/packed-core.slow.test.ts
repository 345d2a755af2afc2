import { gzipSync } from "node:zlib"
import { type BuiltProject, buildViteProject, removeFoldersAfterAll } from "@treelog-internal/published"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { launch, noBrowser } from "../src/launch.js"

removeFoldersAfterAll()

const ORIGIN = "https://project.test"

const MAIN = `
import { readSession } from "@treelog/session-core"

const app = document.querySelector<HTMLDivElement>("#app")!
app.innerHTML = '<input type="file"><output></output>'
const input = app.querySelector("input")!
input.addEventListener("change", async () => {
  const file = input.files?.[0]
  if (!file) return
  const { messages } = await (await readSession(file)).readContext()
  app.querySelector("output")!.textContent = \`\${messages.length} messages\`
})
`

const SESSION = [
  { type: "session", version: 3, id: "demo", timestamp: "2026-03-02T09:00:00Z", cwd: "/home/me/shop" },
  ...["Add a discount field", "Two tests fail", "Fix the validation"].map((content, index) => ({
    type: "message",
    id: `e${index}`,
    parentId: index === 0 ? null : `e${index - 1}`,
    timestamp: "2026-03-02T09:00:00Z",
    message: { role: "user", content, timestamp: 1772442000000 },
  })),
]

describe("a project of vite that installs session-core alone", () => {
  let project: BuiltProject
  beforeAll(async () => {
    project = await buildViteProject(MAIN)
  })

  test("is built without a word of Node.", () => {
    expect(project.output).toMatch(/✓ built in/)
    expect(project.output).not.toMatch(/externalized|warning|node:/i)
  })

  test("has nothing in its scripts but its own and session-core.", () => {
    const others = project.modules.filter(
      (path) => !/(\/src\/main\.ts|@treelog\/session-core\/dist\/[\w-]+\.js)$/.test(path),
    )
    expect({ others, all: project.modules.length > 1 }).toEqual({ others: [], all: true })
    const scripts = [...project.files].filter(([path]) => path.endsWith(".js")).map(([, bytes]) => bytes)
    expect(Buffer.concat(scripts).toString()).not.toMatch(/["'](node:|fs|path|crypto|zod)\b|require\(/)
    expect(gzipSync(Buffer.concat(scripts)).length).toBeLessThan(20_000)
  })

  describe.skipIf(noBrowser)("in a browser", () => {
    const errors: string[] = []
    let close = async () => {}
    afterAll(() => close())

    test("reads a session from a chosen file.", async () => {
      const context = await (await launch()).newContext()
      close = () => context.close()
      await context.route(`${ORIGIN}/**`, (route) => {
        const { pathname } = new URL(route.request().url())
        const path = pathname === "/" ? "/index.html" : pathname
        const body = project.files.get(path)
        const contentType = path.endsWith(".js")
          ? "text/javascript"
          : path.endsWith(".html")
            ? "text/html"
            : "text/plain"
        return body ? route.fulfill({ body, contentType }) : route.fulfill({ status: 404 })
      })
      const page = await context.newPage()
      page.on("pageerror", (error) => errors.push(String(error.stack)))
      await page.goto(ORIGIN)
      const buffer = Buffer.from(SESSION.map((line) => `${JSON.stringify(line)}\n`).join(""))
      await page.setInputFiles("input", { name: "demo.jsonl", mimeType: "application/jsonl", buffer })
      await expect.poll(() => page.textContent("output")).toBe("3 messages")
      expect(errors).toEqual([])
    })
  })
})
