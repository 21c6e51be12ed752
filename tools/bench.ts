/** `npm run bench -- [name …] [--json] [--option value …]`: runs the named benchmarks, or all, one after the other. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './tidy/files.ts'

const known = ['core', 'durable', 'fanout', 'hostile', 'mark', 'projection', 'recovery', 'scale', 'web']
/** Run only when named, because it needs another clone. */
const allowed = [...known, 'against']
const given = process.argv.slice(2)
/** The word after an option is its value, whatever it says. */
const isOpen = (word = ''): boolean => word.startsWith('--') && word !== '--json' && !word.includes('=')
const isName = (word: string, at: number): boolean => !word.startsWith('-') && !isOpen(given[at - 1])
const names = given.filter((word, at) => isName(word, at) && allowed.includes(word))
const isStray = given.some((word, at) => isName(word, at) && !allowed.includes(word))
if (isStray) {
  process.stderr.write(`npm run bench -- [${allowed.join('|')}] [--json] [--option value …]\n`)
  process.exit(2)
}
let failed = 0
for (const name of names.length > 0 ? names : known) {
  const file = join(root, 'tools', 'bench', `${name}.ts`)
  if (!existsSync(file)) continue
  const rest = given.filter((word, at) => !(isName(word, at) && allowed.includes(word)))
  const done = spawnSync(process.execPath, [file, ...rest], { cwd: root, stdio: 'inherit' })
  if (done.status !== 0) failed += 1
}
process.exit(failed === 0 ? 0 : 1)
