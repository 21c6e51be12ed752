/** Builds the phone app into `web/dist` if any of its sources changed since the last build. */
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './tidy/files.ts'
import { isFresh, stampFile, stampOfSources } from './web-stamp.ts'

const stamp = stampOfSources()
if (isFresh(stamp) && !process.argv.includes('--force')) process.exit(0)

process.stderr.write('Building the app …\n')
rmSync(stampFile, { force: true })
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
const built = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: join(root, 'web'), stdio: ['ignore', 2, 2] })
if (built.status !== 0) process.exit(built.status ?? 1)
writeFileSync(stampFile, stamp)
