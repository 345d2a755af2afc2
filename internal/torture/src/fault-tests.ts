import type { FaultTest } from "./fault-test.js"
import { damage } from "./fault-tests/damage.js"
import { fullDisk } from "./fault-tests/full-disk.js"
import { keep } from "./fault-tests/keep.js"
import { kill } from "./fault-tests/kill.js"
import { killedOwner } from "./fault-tests/killed-owner.js"
import { killedSlim } from "./fault-tests/killed-slim.js"
import { lists } from "./fault-tests/lists.js"
import { movedWhileOpened } from "./fault-tests/moved-while-opened.js"
import { orders } from "./fault-tests/orders.js"
import { postgresCrash } from "./fault-tests/postgres-crash.js"
import { postgresKill } from "./fault-tests/postgres-kill.js"
import { postgresLostAnswers } from "./fault-tests/postgres-lost-answers.js"
import { postgresStop } from "./fault-tests/postgres-stop.js"
import { sharedWriters } from "./fault-tests/shared-writers.js"
import { truncation } from "./fault-tests/truncation.js"
import { twoCompactions } from "./fault-tests/two-compactions.js"
import { twoTerminals } from "./fault-tests/two-terminals.js"

export const FAULT_TESTS: readonly FaultTest[] = [
  truncation,
  damage,
  orders,
  fullDisk,
  killedOwner,
  twoTerminals,
  movedWhileOpened,
  sharedWriters,
  twoCompactions,
  kill,
  killedSlim,
  lists,
  keep,
  postgresKill,
  postgresStop,
  postgresCrash,
  postgresLostAnswers,
]
