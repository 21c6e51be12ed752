import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roomIn } from '../commands/audit.ts'

test('JOURNAL-AUDIT-008: an audit is refused where its temporary tables would fill the disk, and nowhere else', async () => {
  const mayTake = roomIn('/data', () => Promise.resolve({ free: 30e9, total: 250e9 }))
  await mayTake(27e9)
  await assert.rejects(mayTake(29e9), /\/data has 30\.0 GB free, .* may take 29\.0 GB: the disk would be full/)
})
