import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { expect, onTestFinished, test, vi } from "vitest"
import { MAIN } from "../built-imports.js"
import { type Sandbox, sandbox } from "../sandbox.js"

// The picker in a real terminal: it runs what `npm run build` made, in tmux, at 80 by 24.

const NO_TMUX = spawnSync("tmux", ["-V"]).error !== undefined && "tmux is not installed"
const PATIENCE = { timeout: 20_000, interval: 50 }

class TmuxScreen {
  readonly #socket: string

  constructor({ folder, agentDir, project }: Sandbox) {
    this.#socket = `${folder}/tmux`
    const env = [`HOME=${folder}`, `TREELOG_AGENT_DIR=${agentDir}`, "LANG=C.UTF-8", "TERM=screen-256color", "PS1=$ "]
    const shell = ["env", "-i", `PATH=${process.env.PATH}`, ...env, "sh"]
    this.tmux("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "-c", project, ...shell)
    onTestFinished(() => {
      this.tmux("kill-server")
    })
  }

  tmux(...args: readonly string[]): string {
    const { stdout, stderr, status } = spawnSync("tmux", ["-u", "-S", this.#socket, ...args], { encoding: "utf8" })
    if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`)
    return stdout
  }

  type(text: string): void {
    this.tmux("send-keys", "-l", text)
  }

  press(...keys: readonly string[]): void {
    this.tmux("send-keys", ...keys)
  }

  lines(): string[] {
    return this.tmux("capture-pane", "-p")
      .split("\n")
      .map((line) => line.trimEnd())
  }

  async shows(check: (lines: readonly string[]) => void): Promise<void> {
    await vi.waitFor(() => check(this.lines()), PATIENCE)
  }
}

async function withPrompts(): Promise<{ box: Sandbox; screen: TmuxScreen }> {
  const box = sandbox()
  await box.print("history", "add", "Mend the flaky test", "--cwd", "/elsewhere")
  await box.print("history", "add", "Why is it flaky?\nLook at the 变更日志")
  await box.print("history", "add", "Something \u001b]0;else\u0007\u001b[2J entirely")
  const screen = new TmuxScreen(box)
  return { box, screen }
}

test.skipIf(NO_TMUX)(
  `the picker finds as one types, changes the scope, and Enter prints${NO_TMUX ? ` (skipped: ${NO_TMUX})` : ""}`,
  { timeout: 60_000 },
  async () => {
    const { box, screen } = await withPrompts()
    screen.type(`X=$(node ${MAIN} history); echo "$X" > out; echo "ended with $?"`)
    screen.press("Enter")
    await screen.shows((lines) => {
      expect(lines[1]).toBe("[all]  repository   cwd   session    3")
      expect(lines[2]).toMatch(/^> .* {2}Something entirely$/)
    })
    screen.type("flaky")
    await screen.shows((lines) => {
      expect(lines[0]).toBe("> flaky")
      expect(lines.slice(2, 5)).toEqual([
        expect.stringMatching(/^> .* {2}Why is it flaky\? Look at the 变更日志$/),
        expect.stringMatching(/^ {2}.* {2}Mend the flaky test$/),
        "",
      ])
    })
    screen.press("Tab", "Tab")
    await screen.shows((lines) => {
      expect(lines[1]).toBe(" all   repository  [cwd]  session    1")
      expect(lines.join("\n")).not.toContain("Mend")
    })
    screen.press("BTab", "BTab")
    await screen.shows((lines) => expect(lines[1]).toBe("[all]  repository   cwd   session    2"))
    screen.press("Down")
    await screen.shows((lines) => expect(lines[3]).toMatch(/^> .* {2}Mend the flaky test$/))
    screen.tmux("resize-window", "-x", "30", "-y", "9")
    await screen.shows((lines) => expect(lines.slice(0, 9)).toEqual(["> flaky", ...expectedSmall(), ""]))
    screen.press("Up", "Enter")
    await screen.shows((lines) => expect(lines.join("\n")).toContain("ended with 0"))
    expect(readFileSync(`${box.project}/out`, "utf8")).toBe("Why is it flaky?\nLook at the 变更日志\n")
    expect(screen.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}")).toBe("0 1\n")
  },
)

test.skipIf(NO_TMUX)(
  `Escape prints nothing, ends with 130, and gives the screen back${NO_TMUX ? ` (skipped: ${NO_TMUX})` : ""}`,
  { timeout: 60_000 },
  async () => {
    const { screen } = await withPrompts()
    screen.type(`clear; node ${MAIN} history --query flaky; echo "ended with $?"`)
    screen.press("Enter")
    await screen.shows((lines) => expect(lines[0]).toBe("> flaky"))
    screen.press("Escape")
    await screen.shows((lines) => expect(lines.slice(0, 2)).toEqual(["ended with 130", "$"]))
  },
)

function expectedSmall(): unknown[] {
  return [
    "[all] 2",
    expect.stringMatching(/^ {2}.* {2}Why is it flaky…$/),
    expect.stringMatching(/^> .* {2}Mend the flaky…$/),
    "",
    "",
    expect.stringMatching(/ {2}\/elsewhere$/),
    expect.stringMatching(/^Enter prints/),
  ]
}
