// Blobs as files.
export {}
