/** `node in-one-process.ts TEST…`: all tests in this process, which ends with 1 at the first failure. */
import { resolve } from 'node:path'
import { run } from 'node:test'

const stream = run({ files: process.argv.slice(2).map((path) => resolve(path)), isolation: 'none' })
stream.on('test:fail', () => process.exit(1))
for await (const _ of stream);
process.exit(0)
