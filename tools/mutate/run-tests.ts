/**
 * Run by StrykerJS for each mutant: `node run-tests.ts LIMIT_MS FOLDER TEST…`, in the sandbox with the mutant. Exits with 0 when
 * all tests pass, and with 1 at the first failure or at the limit. Temporary files and database servers of interrupted tests are
 * in `FOLDER` and are removed with it.
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { sweep } from './sweep.ts'

const [limit, folder, ...tests] = process.argv.slice(2)
const own = join(folder!, String(process.pid))
mkdirSync(own, { recursive: true })
process.env.TMPDIR = own
const stop = new AbortController()
let isFailed = false
const fail = (): void => {
  isFailed = true
  stop.abort()
}
setTimeout(fail, Number(limit)).unref()
const stream = run({
  files: tests.map((path) => resolve(path)),
  concurrency: 1,
  signal: stop.signal,
  // Properties use the same examples for every mutant.
  execArgv: ['--import', join(import.meta.dirname, 'one-seed.ts')],
})
stream.on('test:fail', fail)
for await (const _ of stream);
sweep(folder!, own)
process.exit(isFailed ? 1 : 0)
