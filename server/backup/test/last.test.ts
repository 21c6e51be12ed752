import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { lastDeeds, noteDeed } from '../last.ts'

test('WATCH-METRICS-009: backups and rehearsals are noted beside the embedded database, and count from when it was made', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-last-'))
  try {
    // A database of one's own, and a machine that only rehearses.
    await noteDeed(folder, 'rehearsal')
    assert.deepEqual([lastDeeds(folder), readdirSync(folder)], [undefined, []])
    mkdirSync(join(folder, 'postgres'))
    const madeAt = statSync(join(folder, 'postgres')).birthtimeMs
    assert.deepEqual(lastDeeds(folder), { backup: madeAt, rehearsal: madeAt })
    await noteDeed(folder, 'backup', 7)
    assert.deepEqual(lastDeeds(folder), { backup: 7, rehearsal: madeAt })
    await noteDeed(folder, 'rehearsal', 8)
    await noteDeed(folder, 'backup', 9)
    assert.deepEqual(lastDeeds(folder), { backup: 9, rehearsal: 8 })
    assert.deepEqual(readdirSync(folder).sort(), ['backups.json', 'postgres'])
    writeFileSync(join(folder, 'backups.json'), '{"back')
    assert.deepEqual(lastDeeds(folder), { backup: madeAt, rehearsal: madeAt })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
