/** Builds the phone app and the operators' console into their `dist`, each if any of its sources changed since its last build. */
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compressFolder } from '../web/build/compress.ts'
import { root } from './tidy/files.ts'
import { browserApps, isFresh, stampFile, stampOfSources } from './web-stamp.ts'

const names = { web: 'the app', console: 'the console' } as const

for (const app of browserApps) {
  const stamp = stampOfSources(app)
  if (isFresh(app, stamp) && !process.argv.includes('--force')) continue
  process.stderr.write(`Building ${names[app]} …\n`)
  rmSync(stampFile(app), { force: true })
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const built = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: join(root, app), stdio: ['ignore', 2, 2] })
  if (built.status !== 0) process.exit(built.status ?? 1)
  if (app === 'console') compressFolder(join(root, app, 'dist'))
  writeFileSync(stampFile(app), stamp)
}
