// Lists a store for ever with what is stored of its lists, and prints a line after each list.
import { writeSync } from "node:fs"
import { listIn } from "../store.js"

const [folder = "", cacheDir = ""] = process.argv.slice(2)
for (;;) {
  await listIn(folder, cacheDir)
  writeSync(1, "listed\n")
}
