/** `npm run fuzz -- chains [--seeds=N] [--withdrawals=N]`: long runs of the faults of which `npm test` runs a short one. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const known = ['chains']
const [name, ...options] = process.argv.slice(2)
if (name === undefined || !known.includes(name)) {
  process.stderr.write(`npm run fuzz -- ${known.join('|')} [--seeds=N]\n`)
  process.exit(2)
}
process.exit(spawnSync(process.execPath, [join(import.meta.dirname, 'fuzz', `${name}.ts`), ...options], { stdio: 'inherit' }).status ?? 1)
