/** The most bytes that an adapter reads or writes in one call: operating systems and Node reject 2 GiB. */
export const MAX_IO_BYTES = 2 ** 30
