/** `npm run check`: format, lint, types, and the rules of `tools/tidy`. Prints one line for each, and the output of each that fails. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './tidy/files.ts'

const workspaces = ['core', 'server', 'client', 'web', 'console', 'simulator', 'tools']
const bin = (name: string): string => join(root, 'node_modules', '.bin', name)

type Check = { readonly name: string; readonly command: readonly string[] }

const checks: readonly Check[] = [
  { name: 'format', command: [bin('biome'), 'format', '.'] },
  { name: 'lint', command: [bin('oxlint'), '--deny-warnings', '.'] },
  ...workspaces.map((workspace) => ({ name: `types of ${workspace}`, command: [bin('tsc'), '-p', workspace] })),
  { name: 'types of tests', command: [bin('tsc'), '-p', 'tsconfig.test.json'] },
  { name: 'tidy', command: [process.execPath, '--test', '--test-reporter=dot', join(root, 'tools', 'tidy', 'tidy.test.ts')] },
]

/** Runs all checks, one after the other. Returns the number that failed. */
export function check(): number {
  let failed = 0
  for (const { name, command } of checks) {
    const done = spawnSync(command[0] ?? '', command.slice(1), { cwd: root, encoding: 'utf8' })
    const hasPassed = done.status === 0
    if (!hasPassed) failed += 1
    process.stdout.write(`${hasPassed ? '✓' : '✗'} ${name}\n`)
    if (!hasPassed) process.stdout.write(`${done.stdout ?? ''}${done.stderr ?? ''}\n`)
  }
  return failed
}

if (import.meta.main) process.exit(check() === 0 ? 0 : 1)
