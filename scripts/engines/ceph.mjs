// Ceph's S3 gateway (RGW) for tests: one monitor, one storage daemon in memory and one gateway, on free ports of 127.0.0.1, with all
// their files in one folder. It needs no manager, which only has statistics; but keys for all of them, since without authentication the
// gateway never starts.
import { spawn } from "node:child_process"
import { randomBytes, randomUUID } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

/** By program: the Debian package that has it. */
export const CEPH_PROGRAMS = {
  radosgw: "radosgw",
  "ceph-mon": "ceph-mon",
  "ceph-osd": "ceph-osd",
  ceph: "ceph-common",
}

const CAPS = {
  "client.admin": { mon: "allow *", osd: "allow *" },
  "client.gateway": { mon: "allow *", osd: "allow *" },
  "mon.": { mon: "allow *" },
  "osd.0": { mon: "allow profile osd", osd: "allow *" },
}

/**
 * Starts the gateway, with its state in `folder`, which must exist and be empty.
 * Resolves to `{ endpoint, region, accessKeyId, secretAccessKey, stop }`; `stop` ends every process that was started.
 */
export async function startCeph(folder) {
  const daemons = []
  const stop = () => stopAll(daemons)
  try {
    const [monitorPort, gatewayPort] = [await freePort(), await freePort()]
    const fsid = randomUUID()
    const conf = join(folder, "ceph.conf")
    writeFileSync(conf, configuration(folder, { fsid, monitorPort, gatewayPort }))
    writeFileSync(join(folder, "keyring"), keyring(), { mode: 0o600 })
    for (const name of ["mon", "osd", "run"]) mkdirSync(join(folder, name))
    const command = (program, ...args) => run(program, ["-c", conf, ...args], folder)
    const daemon = (program, ...args) => daemons.push(start(program, ["-c", conf, "-f", ...args], folder))

    const map = join(folder, "monmap")
    const address = `[v1:127.0.0.1:${monitorPort}]`
    await run("monmaptool", ["--create", "--fsid", fsid, "--addv", "a", address, map], folder)
    await command("ceph-mon", "--mkfs", "-i", "a", "--monmap", map, "--keyring", join(folder, "keyring"))
    daemon("ceph-mon", "-i", "a")
    const osd = randomUUID()
    await command("ceph", "--connect-timeout", "60", "osd", "new", osd, "0")
    await command("ceph-osd", "--mkfs", "-i", "0", "--osd-uuid", osd)
    daemon("ceph-osd", "-i", "0")
    daemon("radosgw", "-n", "client.gateway")

    const endpoint = `http://127.0.0.1:${gatewayPort}`
    const gateway = daemons.at(-1)
    await until("the gateway answers", 120_000, () => {
      if (gateway.exitCode !== null) throw new Error(`radosgw ended: ${gateway.printed()}`)
      return fetch(endpoint).then(
        (answer) => answer.ok,
        () => false,
      )
    })
    const keys = { accessKeyId: randomBytes(10).toString("hex"), secretAccessKey: randomBytes(20).toString("hex") }
    const user = ["user", "create", "--uid=tests", "--display-name=Tests"]
    const keyOptions = [`--access-key=${keys.accessKeyId}`, `--secret-key=${keys.secretAccessKey}`]
    await command("radosgw-admin", "-n", "client.gateway", ...user, ...keyOptions)
    return { endpoint, region: "default", ...keys, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const configuration = (folder, { fsid, monitorPort, gatewayPort }) => `[global]
fsid = ${fsid}
mon host = [v1:127.0.0.1:${monitorPort}]
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
keyring = ${folder}/keyring
run dir = ${folder}/run
admin socket = ${folder}/run/$name.asok
log file = ${folder}/$name.log
crash dir = ${folder}/crash
mon cluster log file = ${folder}/cluster.log
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000
ms bind ipv6 = false
public addr = 127.0.0.1
[mon]
mon data = ${folder}/mon
mon warn on pool no redundancy = false
[osd]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 1073741824
osd memory target = 939524096
[client.gateway]
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort}
rgw max listing results = 2
rgw thread pool size = 64
`

/** One file with the key of everything. */
const keyring = () =>
  Object.entries(CAPS)
    .map(([name, caps]) => {
      const lines = Object.entries(caps).map(([daemon, may]) => `\tcaps ${daemon} = "${may}"\n`)
      return `[${name}]\n\tkey = ${newKey()}\n${lines.join("")}`
    })
    .join("")

/** A key as Ceph writes it: type 1 (AES), the time it was made (zero), the length, 16 random bytes. */
function newKey() {
  const head = Buffer.alloc(12)
  head.writeUInt16LE(1, 0)
  head.writeUInt16LE(16, 10)
  return Buffer.concat([head, randomBytes(16)]).toString("base64")
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

function start(program, args, cwd) {
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] })
  const pieces = []
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => pieces.push(piece))
  child.printed = () => Buffer.concat(pieces).toString().trim().slice(-2000)
  child.ended = new Promise((resolve) => {
    child.on("error", (error) => {
      pieces.push(Buffer.from(error.message))
      resolve(127)
    })
    child.on("exit", (code) => resolve(code ?? 1))
  })
  return child
}

async function run(program, args, cwd) {
  const child = start(program, args, cwd)
  const code = await child.ended
  if (code !== 0) throw new Error(`${program} failed (${code}): ${child.printed()}`)
}

async function until(what, limitMs, isSo) {
  const end = Date.now() + limitMs
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Waited ${limitMs / 1000} s in vain: ${what}`)
    await sleep(100)
  }
}

/** The last one first. What does not end within ten seconds is killed. */
async function stopAll(daemons) {
  for (const daemon of [...daemons].reverse()) {
    daemon.kill("SIGTERM")
    const kill = setTimeout(() => daemon.kill("SIGKILL"), 10_000)
    await daemon.ended
    clearTimeout(kill)
  }
}
