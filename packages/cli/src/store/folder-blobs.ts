// Reading blobs needs the hashes of Node, which load slowly, and most commands read none.
export { FileBlobSource, FileBlobStore } from "@treelog/blob-store"
