import { describe, expect, it } from "vitest"
import { withTreelogClass } from "./door.js"

const never = () => expect.unreachable("It need not be read.")
const CHUNK = "file:///lib/node_modules/@earendil-works/pi-coding-agent/dist/bundle/chunks/chunk-1.js"
const MODULE = "file:///lib/node_modules/@earendil-works/pi-coding-agent/dist/core/session-manager.js"

describe("pi's modules", () => {
  it("keep everything but the class", () => {
    const source = withTreelogClass(MODULE, never)
    expect(source).toContain(`export * from "${MODULE}?treelog-original"`)
    expect(source).toMatch(/export \{ SessionManager \} from "file:.*index\.js"/)
    expect(withTreelogClass(`${MODULE}?treelog-original`, never)).toBeUndefined()
  })

  it("are left as they are where they do not have it", () => {
    expect(withTreelogClass("file:///lib/node_modules/other/dist/core/session-manager.js", never)).toBeUndefined()
    expect(withTreelogClass(CHUNK, () => "SessionManager.continueRecent(cwd)")).toBeUndefined()
  })

  it("of a bundle get the class behind their own, and are refused where that has another form", () => {
    const source = "var SessionManager=class _SessionManager{static continueRecent(cwd){}};export{SessionManager};"
    expect(withTreelogClass(CHUNK, () => source)).toMatch(
      /^var SessionManager=.*\nimport \{ SessionManager as TreelogSessionManager \} from "file:.*\nSessionManager = TreelogSessionManager\n$/s,
    )
    const other = source.replaceAll("SessionManager", "Other")
    expect(() => withTreelogClass(CHUNK, () => other)).toThrow(/cannot be replaced.*Start pi without/)
  })
})
