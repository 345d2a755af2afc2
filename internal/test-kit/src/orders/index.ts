export { tryOrders } from "./try-orders.js"
