// npm run test:engines: runs the tests of blob-store-s3 on Ceph RGW and on the fake, then those of storage-postgres on PostgreSQL 15, also
// through pgbouncer. Installs the Debian packages that it needs, where this is Debian and we are root. The last line is `N passed, N
// failed`, alone. Arguments go to vitest.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CEPH_PROGRAMS, startCeph } from "./engines/ceph.mjs"
import { POSTGRES_ENVIRONMENT, POSTGRES_PROGRAMS } from "./engines/postgres.mjs"
import { finish, runVitest } from "./run-vitest.mjs"
import { ensureInstalled } from "./setup.mjs"
import { installPrograms } from "./system-packages.mjs"

const PROGRAMS = { ...CEPH_PROGRAMS, ...POSTGRES_PROGRAMS }

// What was started is stopped in any case.
const interrupt = new AbortController()
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => interrupt.abort())

async function setUp() {
  await ensureInstalled()
  const missing = await installPrograms(PROGRAMS)
  if (missing.length > 0) {
    const packages = [...new Set(missing.map((program) => PROGRAMS[program]))].join(" ")
    throw new Error(`${missing.join(", ")} not found. On Debian, run this as root, or: apt-get install ${packages}`)
  }
}

function runOnPostgres() {
  const args = ["packages/storage-postgres", ...process.argv.slice(2)]
  return runVitest("postgres", args, { env: POSTGRES_ENVIRONMENT, signal: interrupt.signal })
}

async function runOnCeph() {
  const folder = mkdtempSync(join(tmpdir(), "treelog-ceph-"))
  try {
    const { stop, ...ceph } = await startCeph(folder)
    console.log(`ok   Ceph RGW runs at ${ceph.endpoint}`)
    try {
      const started = JSON.stringify({ name: "Ceph RGW", bucket: "treelog-tests", ...ceph })
      const env = { TREELOG_TEST_S3: started }
      const args = ["packages/blob-store-s3", ...process.argv.slice(2)]
      const options = { env, signal: interrupt.signal }
      return [await runVitest("fast", args, options), await runVitest("slow", args, options)]
    } finally {
      await stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runAll() {
  await setUp()
  return [...(await runOnCeph()), await runOnPostgres()]
}

await finish(runAll())
