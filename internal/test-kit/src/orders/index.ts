export { tryOrders } from "./run-program.js"
export { SESSION_STORAGE, scheduledPort } from "./scheduled-port.js"
