#!/usr/bin/env node
// From argv to exit code: the only file that touches the process.
export {}
