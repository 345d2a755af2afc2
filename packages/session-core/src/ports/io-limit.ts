/** The most bytes that an adapter reads or writes in one call: systems, and Node, refuse 2 GiB at once. */
export const MAX_IO_BYTES = 2 ** 30
