/** Tells whether the phone app in `web/dist` was built from the present sources: the build leaves a hash of them there. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './tidy/files.ts'

const sources = ['web', 'client', 'core', 'package-lock.json', 'LICENSE']
const skipped = new Set(['dist', 'node_modules', 'test'])
export const stampFile = join(root, 'web', 'dist', '.stamp')

/** throws  Error when the app is not built, or its sources have changed since */
export function requireFreshBuild(): void {
  if (!isFresh(stampOfSources())) throw new Error('web/dist is not built from the present sources. Run: node tools/build-web.ts')
}

export function isFresh(stamp: string): boolean {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp
}

/** A hash over names and contents of all files that the build reads, in a fixed order. */
export function stampOfSources(): string {
  const hash = createHash('sha256')
  const visit = (path: string): void => {
    const name = path.split('/').at(-1) ?? ''
    if (skipped.has(name) || name.endsWith('.test.ts')) return
    const entries = entriesOf(path)
    if (entries === undefined) hash.update(relative(root, path)).update(readFileSync(path))
    else for (const entry of entries) visit(join(path, entry))
  }
  for (const place of sources) if (existsSync(join(root, place))) visit(join(root, place))
  return hash.digest('hex')
}

function entriesOf(path: string): readonly string[] | undefined {
  try {
    return readdirSync(path).sort()
  } catch {
    return undefined
  }
}
