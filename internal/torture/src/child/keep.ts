import { isTreelogError } from "@treelog/session-core"
import { keepSessions } from "@treelog/stores"

// Keeps the sessions of a home once, and prints what it could not keep.
const [home = ""] = process.argv.slice(2)
const print = (error: Error): void => {
  process.stdout.write(`${error.message.replaceAll("\n", " ")}\n`)
}
try {
  await keepSessions({ env: { HOME: home }, cwd: home, onError: (_store, _path, error) => print(error) })
} catch (error) {
  if (!isTreelogError(error)) throw error
  print(error)
}
