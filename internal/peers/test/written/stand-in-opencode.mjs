#!/usr/bin/env node
// Does what opencode's commands do with sessions, in files, as versions before its database kept them. As opencode, `import` adds only messages whose ids are
// new, and takes over the folder that it runs in; `session delete` deletes the sessions of sub-agents, too.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const storage = join(process.env.XDG_DATA_HOME, "opencode", "storage")
const [command, ...args] = process.argv.slice(2)
const read = (...path) => JSON.parse(readFileSync(join(storage, ...path), "utf8"))
const write = (value, ...path) => {
  mkdirSync(dirname(join(storage, ...path)), { recursive: true })
  writeFileSync(join(storage, ...path), JSON.stringify(value))
}
const names = (...path) => (existsSync(join(storage, ...path)) ? readdirSync(join(storage, ...path)).sort() : [])
const sessionFile = (id) => ["session", "global", `${id}.json`]
const fail = (why) => {
  process.stderr.write(`Error: ${why}\n`)
  process.exit(1)
}

if (command === "debug") process.stdout.write('{"model":"local/model/1"}')
else if (command === "export") {
  const [id] = args
  if (!existsSync(join(storage, ...sessionFile(id)))) fail(`Session not found: ${id}`)
  const messages = names("message", id).map((name) => {
    const info = read("message", id, name)
    return { info, parts: names("part", info.id).map((part) => read("part", info.id, part)) }
  })
  process.stdout.write(JSON.stringify({ info: read(...sessionFile(id)), messages }))
} else if (command === "import") {
  const { info, messages } = JSON.parse(readFileSync(args[0], "utf8"))
  const known = existsSync(join(storage, ...sessionFile(info.id))) ? read(...sessionFile(info.id)) : info
  write({ ...known, directory: process.cwd() }, ...sessionFile(info.id))
  for (const { info: message, parts } of messages) {
    if (process.env.REFUSED === String(message.role)) fail("Invalid message")
    if (names("message", info.id).includes(`${message.id}.json`)) continue
    write(message, "message", info.id, `${message.id}.json`)
    for (const part of parts) write(part, "part", message.id, `${part.id}.json`)
  }
  process.stdout.write(`Imported session: ${info.id}\n`)
} else if (command === "session" && args[0] === "delete") {
  const children = names("session", "global").map((name) => read("session", "global", name))
  for (const { id, parentID } of children) {
    if (id !== args[1] && parentID !== args[1]) continue
    rmSync(join(storage, ...sessionFile(id)))
    rmSync(join(storage, "message", id), { recursive: true, force: true })
  }
} else fail(`unknown command ${process.argv.slice(2).join(" ")}`)
