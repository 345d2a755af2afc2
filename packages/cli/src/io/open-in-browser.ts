import { spawn } from "node:child_process"
import { platform } from "node:os"

/** The program that opens an address in the user's browser. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
}

/** Opens an address of ours in a browser, which lives on after this process. @returns false where there is nothing that could */
export function openInBrowser(url: string): Promise<boolean> {
  const [command = "", ...given] = OPENERS[platform()] ?? ["xdg-open"]
  const opener = spawn(command, [...given, url], { stdio: "ignore", detached: true })
  return new Promise((resolve) => {
    opener.once("error", () => resolve(false))
    opener.once("spawn", () => {
      opener.unref()
      resolve(true)
    })
  })
}
