import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { headKeyFile } from '../../proof/head-key.ts'
import { HeadMaker } from '../../proof/head-maker.ts'
import { audit } from '../commands/audit.ts'
import { exportJournal } from '../commands/export.ts'
import { readSettings, type Settings } from '../settings.ts'
import { startExchange, type TestExchange } from './exchange.ts'

/** A head that covers everything so far. */
async function makeHead({ store, link, dataFolder }: TestExchange): Promise<void> {
  const { seq } = await link.ask.head()
  for (let at = 0; at < seq; await sleep(20)) at = (await store.pool.query<{ seq: number }>('select seq from projection')).rows[0]!.seq
  for (let made: object | undefined; made === undefined; await sleep(20)) {
    const { rows } = await store.pool.query<{ at: number | null }>('select max(at_ms) as at from proof_heads')
    const at = (rows[0]!.at ?? Date.now()) + 60_000
    made = await new HeadMaker({ pool: store.pool, keyFile: headKeyFile(dataFolder), clock: () => at }).turn()
  }
}

test('PROOF-COPY-007: the receipts of a whole exchange are checked from its copy: the command line says how many heads agree, and what the copy shows', async () => {
  await using exchange = await startExchange({ seed: 'copy', hasFeeds: false })
  const folder = mkdtempSync(join(tmpdir(), 'candor-copy-'))
  try {
    const [alice, bob] = [await exchange.user({ funds: { USDT: '1000' } }), await exchange.user({ funds: { BTC: '1' } })]
    await makeHead(exchange)
    for (const [user, side] of [
      [alice, 'buy'],
      [bob, 'sell'],
    ] as const) {
      const order = { symbol: 'BTCUSDT', side, type: 'limit', price: '100', quantity: '1', clientId: side }
      assert.equal((await user.call('POST', '/spot/orders', order)).status, 200)
    }
    await makeHead(exchange)
    const settings = readSettings({ DATABASE_URL: exchange.store.url }, folder)
    const path = join(folder, 'journal.zst')
    const written = await exportJournal.run({ settings, operands: [path], options: {} })
    const { heads, salts } = written.json as { heads: number; salts: number }
    assert.match(
      written.lines.join('\n'),
      new RegExp(`, ${heads} heads and the salts of ${salts} receipts, .*\nGive it to the auditor only: .*UID`),
    )
    assert.ok(heads >= 2 && salts >= 5, JSON.stringify(written.json))
    const found = await audit.run({ settings: {} as Settings, operands: [path], options: {} })
    assert.equal(found.isFailure, false, found.lines.join('\n'))
    // Each result of a customer is in a tree. The lender of a sandbox has no account.
    const { equal, different, unknown, usersWithout, firstWithout } = (found.json as { receipts: Record<string, number> }).receipts
    assert.deepEqual([equal, different, unknown, usersWithout], [heads, 0, 0, 1])
    assert.match(found.lines.join('\n'), new RegExp(`In no tree: \\d+ results of 1 users .* command ${firstWithout}\n`))
    assert.ok(
      found.lines.includes(`Receipts: ${heads} of ${heads} heads name the receipts that the journal gives; ${salts} receipts in all`),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
