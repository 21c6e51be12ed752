import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../../store/migrate.ts'
import { openStore } from '../../store/open.ts'
import { environmentOf, readSettings, root } from '../settings.ts'

test('BACKUP-MAKE-020: a run that starts the database gives it no lower priority, because an exchange that starts meanwhile uses it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-backup-priority-'))
  const dataFolder = join(folder, 'data')
  try {
    {
      await using store = await openStore({ dataFolder })
      await migrate(store)
    }
    const env = { ...process.env, ...environmentOf(readSettings({ CANDOR_DATA: dataFolder }, folder)) }
    const words = [join(root, 'server/main/candor.ts'), 'backup', '--to', `file://${folder}/store`]
    const child = spawn(process.execPath, words, { cwd: folder, env, stdio: 'ignore' })
    const ended = once(child, 'exit')
    const seen: [server: number, run: number][] = []
    while (child.exitCode === null) {
      try {
        const [pid] = readFileSync(join(dataFolder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')
        seen.push([getPriority(Number(pid)), getPriority(child.pid)])
      } catch {
        // It does not run yet, or no more.
      }
      await sleep(5)
    }
    assert.deepEqual(await ended, [0, null])
    assert.deepEqual([...new Set(seen.map(([server]) => server))], [getPriority()])
    assert.equal(Math.max(...seen.map(([, run]) => run)), 19, 'the run itself stands back')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
