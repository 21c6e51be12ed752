/** `npm run bench -- [name …] [--json] [--option value …]`: runs the named benchmarks, or all, one after the other. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './tidy/files.ts'

const known = [
  'backup',
  'beside',
  'chains',
  'console',
  'core',
  'durable',
  'fanout',
  'hostile',
  'idle',
  'mark',
  'projection',
  'proof',
  'recovery',
  'scale',
  'surveillance',
  'web',
]
/** Run only when named, because it needs another clone. */
const allowed = [...known, 'against']
const given = process.argv.slice(2)
const options = given.slice(given.findIndex((word) => word.startsWith('-')) >>> 0)
const names = given.slice(0, given.length - options.length)
if (names.some((name) => !allowed.includes(name)) || (names.length === 0 && options.some((word) => allowed.includes(word)))) {
  process.stderr.write(`npm run bench -- [${allowed.join('|')}] [--json] [--option value …]\n`)
  process.exit(2)
}
let failed = 0
for (const name of names.length > 0 ? names : known) {
  const [alone, folder] = [join(root, 'tools', 'bench', `${name}.ts`), join(root, 'tools', 'bench', name, 'main.ts')]
  const file = existsSync(alone) ? alone : folder
  if (!existsSync(file)) continue
  const done = spawnSync(process.execPath, [file, ...options], { cwd: root, stdio: 'inherit' })
  if (done.status !== 0) failed += 1
}
process.exit(failed === 0 ? 0 : 1)
