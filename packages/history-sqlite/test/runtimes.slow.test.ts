import { join } from "node:path"
import { testOnEachRuntime } from "@treelog-internal/test-kit/processes"

testOnEachRuntime(join(import.meta.dirname, "child", "contract-user.ts"))
