import type { Trial } from "./trial.js"
import { damage } from "./trials/damage.js"
import { fullDisk } from "./trials/full-disk.js"
import { kill } from "./trials/kill.js"
import { killedOwner } from "./trials/killed-owner.js"
import { killedSlim } from "./trials/killed-slim.js"
import { orders } from "./trials/orders.js"
import { sharedWriters } from "./trials/shared-writers.js"
import { truncation } from "./trials/truncation.js"
import { twoCompactions } from "./trials/two-compactions.js"
import { twoTerminals } from "./trials/two-terminals.js"

export const TRIALS: readonly Trial[] = [
  truncation,
  damage,
  orders,
  fullDisk,
  killedOwner,
  twoTerminals,
  sharedWriters,
  twoCompactions,
  kill,
  killedSlim,
]
