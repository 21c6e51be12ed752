import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { verify } from 'node:crypto'
import type { CheckSignature } from '@candor/core/proof/head-keys.ts'
import { emptyRoot } from '@candor/core/proof/merkle.ts'
import { checkReceipt } from '@candor/core/proof/receipt.ts'
import { toHex } from '@candor/core/proof/sha256.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { ed25519Key } from '../../chains/signer/statement.ts'
import { compareHeads } from '../../journal/audit-heads.ts'
import type { Store } from '../../store/open.ts'
import { startProjector } from '../../store/projector/projector.ts'
import { emptyProjection } from '../../store/projector/rebuild.ts'
import { WrittenJournal } from '../../store/projector/test/written-journal.ts'
import { ReceiptProofs } from '../../store/query/proof/receipt-proofs.ts'
import { receiptsFrom } from '../../store/query/proof/receipts.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { headKeyFile } from '../head-key.ts'
import { HeadMaker } from '../head-maker.ts'

let scratch: ScratchServer
let store: Store
let folder: string
let journal: WrittenJournal
let now = 0
before(async () => {
  scratch = await startScratchServer()
})
after(() => scratch[Symbol.asyncDispose]())
beforeEach(async () => {
  store = await scratch.store()
  folder = mkdtempSync(join(tmpdir(), 'candor-receipts-'))
  journal = new WrittenJournal(store.pool)
  now = 1_790_000_000_000
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const signed = new Map<string, boolean>()
/** There are many receipts under few heads. */
const check: CheckSignature = async (key, text, signature) => {
  const known = `${key} ${signature} ${text}`
  const is = signed.get(known) ?? verify(null, Buffer.from(text), ed25519Key(key), Buffer.from(signature, 'hex'))
  signed.set(known, is)
  return is
}
const everything = { from: 1, to: Number.MAX_SAFE_INTEGER, limit: 100_000 }

/** The core's users 1 to 19 of the journal have accounts; 20 is nobody's. */
async function register(): Promise<void> {
  await store.pool.query(
    `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
     select gen_random_uuid(), 100000000 + n, n, 'u' || n || '@example.org', 'p', 0, 'en', 'CODE' || n, 'retail', 0 from generate_series(1, 19) n`,
  )
}

async function project(): Promise<void> {
  await using projector = await startProjector({ store })
  await projector.reached(journal.seq)
}

async function makeHead() {
  now += 60_000
  return new HeadMaker({ pool: store.pool, keyFile: headKeyFile(folder), clock: () => now }).turn()
}

/** Every receipt as it is downloaded, checked. */
async function downloads(): Promise<readonly string[]> {
  const proofs = new ReceiptProofs(store.pool)
  const lines: string[] = []
  for (let user = 1; user <= 20; user++) {
    for (const row of await receiptsFrom(store.pool, user as UserId, everything)) {
      const json = JSON.stringify(await proofs.prove(row))
      const found = await checkReceipt(json, check)
      assert.ok(typeof found !== 'string', `${found}: ${json}`)
      assert.deepEqual([found.receipt.seq, found.receipt.user], [row.seq, String(100_000_000 + user)])
      lines.push(json)
    }
  }
  return lines
}

test('PROOF-RECEIPT-007: each head names the tree of all receipts since the one before; each leads to it, also when the tables are written again', async () => {
  await journal.open()
  await register()
  await project()
  const sizes: number[] = []
  for (const batches of [3, 0, 60]) {
    await journal.trade(batches, 20, 2_000)
    await project()
    sizes.push((await makeHead())!.receipts.size)
  }
  // The last tree has leaves in several rows.
  assert.ok(sizes[0]! > 0 && sizes[1] === 0 && sizes[2]! > 300, sizes.join())
  const first = await downloads()
  assert.equal(first.length, sizes[0]! + sizes[2]!)
  const { rows } = await store.pool.query<{ n: number }>('select count(*) as n from receipts where user_id < 20')
  assert.equal(rows[0]!.n, first.length)
  assert.deepEqual(await compareHeads(store.pool), [])

  const secrets = async () => (await store.pool.query('select * from receipt_users order by user_id')).rows
  const kept = await secrets()
  assert.deepEqual([kept.length, kept.some(({ user_id: user }) => user === 20)], [19, false])
  await emptyProjection(store.pool)
  // While the tables are filled again, there is no head.
  assert.equal(await makeHead(), undefined)
  await project()
  assert.deepEqual([await downloads(), await secrets()], [first, kept])
  assert.equal((await makeHead())?.receipts.root, toHex(emptyRoot))
})

test('PROOF-RECEIPT-008: every entry, fill, funding payment, change of a loan, liquidation and deleveraging of a customer in the tables has its receipt', async () => {
  await journal.open()
  await journal.trade(120, 20, 20_000)
  await project()
  for (const [table, user] of [
    ['ledger_entries', 'user_id'],
    ['trades', 'maker_user'],
    ['trades', 'taker_user'],
    ['funding_payments', 'user_id'],
    ['loan_changes', 'user_id'],
    ['liquidations', 'user_id'],
    ['deleverages', 'user_id'],
  ] as const) {
    const { rows } = await store.pool.query<{ all: number; lost: number }>(
      `select count(*) as all, count(*) filter (where not exists (select from receipts r where r.seq = t.seq and r.user_id = t.${user})) as lost
       from ${table} t where ${user} > 0`,
    )
    assert.ok(rows[0]!.all > 0 && rows[0]!.lost === 0, `${table} ${user}: ${JSON.stringify(rows[0])}`)
  }
})

test('PROOF-RECEIPT-009: an exchange of an earlier version has receipts of the commands after its upgrade, also when its tables are written again', async () => {
  await journal.open()
  await register()
  await project()
  const before = journal.seq
  await store.pool.query('truncate receipts; update projection set receipts_after = seq')
  await journal.trade(30)
  await project()
  assert.ok((await makeHead())!.receipts.size > 0)
  const lines = await downloads()
  assert.ok((await receiptsFrom(store.pool, 1 as UserId, everything)).every(({ seq }) => seq > before))
  await emptyProjection(store.pool)
  await project()
  assert.deepEqual(await downloads(), lines)
})
