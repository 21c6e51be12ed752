/** Loaded before each test file. Loading the library of properties takes a fifth of a second, so files without properties don't. */
import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const [, file] = process.argv
if (isMainThread && file?.endsWith('.test.ts') && readFileSync(file, 'utf8').includes("from 'fast-check'"))
  await import('./property-seed.ts')
