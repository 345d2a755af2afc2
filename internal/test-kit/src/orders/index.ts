export { SESSION_STORAGE, scheduledPort } from "./scheduled-port.js"
export { tryOrders } from "./try-orders.js"
