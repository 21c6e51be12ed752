/** Builds the phone app into `web/dist` if any of its sources changed since the last build. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const sources = ['web', 'client', 'core', 'package-lock.json', 'LICENSE']
const skipped = new Set(['dist', 'node_modules', 'test'])
const stampFile = join(root, 'web', 'dist', '.stamp')

const stamp = stampOf(sources)
if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp && !process.argv.includes('--force')) process.exit(0)

process.stderr.write('Building the app …\n')
rmSync(stampFile, { force: true })
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
const built = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: join(root, 'web'), stdio: ['ignore', 2, 2] })
if (built.status !== 0) process.exit(built.status ?? 1)
writeFileSync(stampFile, stamp)

/** A hash over names and contents of all files that the build reads, in a fixed order. */
function stampOf(places: readonly string[]): string {
  const hash = createHash('sha256')
  const visit = (path: string): void => {
    const name = path.split('/').at(-1) ?? ''
    if (skipped.has(name) || name.endsWith('.test.ts')) return
    const entries = entriesOf(path)
    if (entries === undefined) hash.update(relative(root, path)).update(readFileSync(path))
    else for (const entry of entries) visit(join(path, entry))
  }
  for (const place of places) if (existsSync(join(root, place))) visit(join(root, place))
  return hash.digest('hex')
}

function entriesOf(path: string): readonly string[] | undefined {
  try {
    return readdirSync(path).sort()
  } catch {
    return undefined
  }
}
