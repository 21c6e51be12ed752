import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Units } from '@candor/core/money/brand.ts'
import type { AssetId, NetworkNumber, UserId, WithdrawalNumber } from '@candor/core/protocol/ids.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { WithdrawalView } from '@candor/core/protocol/port.ts'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { PayoutWaits } from '../../payout/chain.ts'
import { type Reason, SignerRefused } from '../../signer/reasons.ts'
import {
  ed25519Key,
  ed25519Private,
  ed25519Public,
  type Ending,
  endingDigest,
  intentDigest,
  isSignedBy,
  keyDigest,
  signDigest,
} from '../../signer/statement.ts'
import { ChainsFolder } from '../../test/chains-folder.ts'
import { approvedOf } from '../approvals.ts'
import { Keyring } from '../keyring.ts'
import { Notary } from '../notary.ts'
import { endByTwo, hireTwo } from '../../payout/test/people.ts'
import type { SignedEnding } from '../../payout/endings.ts'
import type pg from 'pg'

const key = ed25519Private(randomBytes(32))
const assets: readonly Asset[] = [{ id: 1 as AssetId, symbol: 'USDT', scale: 6 }]
const recipient = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const folder = new ChainsFolder()
const tron = folder.config.networks.find(({ name }) => name === 'tron')!
const contract = tron.tokens[0]!.contract!

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(async () => {
  await server[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

/** A customer, number 7, who wishes to withdraw 99 USDT as withdrawal 40, which the core has approved. */
async function wished() {
  const store = await server.store()
  const { pool } = store
  const account = randomUUID()
  await pool.query(
    `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
     values ($1, '100000007', 7, 'a@example.com', '', 0, 'en', 'x', 'retail', 0)`,
    [account],
  )
  const { rows } = await pool.query<{ number: number }>(
    `insert into withdrawal_addresses (id, account, network, address, label, owner, added_at, usable_at)
     values (gen_random_uuid(), $1, 'tron', $2, 'mine', 'own', 0, 86400000) returning number`,
    [account, recipient],
  )
  const destination = rows[0]!.number
  await pool.query(
    `insert into withdrawal_wishes (user_no, client_id, account, destination, network, chain_id, asset, contract, recipient, value, customer, made_at, withdrawal)
     values (7, 'w1', $1, $2, 'tron', $3, 'USDT', $4, $5, 99000000, '{"kind":"attested"}', 0, 40)`,
    [account, destination, tron.chainId, contract, recipient],
  )
  const view: WithdrawalView = {
    ...{ withdrawal: 40 as WithdrawalNumber, user: 7 as UserId, asset: 1 as AssetId, network: 2 as NetworkNumber },
    ...{ amount: 100_000_000 as Units, fee: 1_000_000 as Units, destination, people: 0, isApproved: true },
  }
  const log: string[] = []
  const notary = (withdrawals: readonly WithdrawalView[], by = key) =>
    new Notary({
      ...{ pool, config: folder.config, sign: (digest) => signDigest(by, digest), clock: () => 5 },
      state: async () => ({ withdrawals, assets }),
      log: ({ message }) => void log.push(message),
    })
  return { store, pool, account, view, notary, log, approved: () => approvedOf(pool, 'tron') }
}

const ended = async (pool: pg.Pool): Promise<void> => endByTwo(pool, 40, await hireTwo(pool))

test('PAYOUT-WARRANT-001: what the core approved is signed once, as core, networks and address list have it', async () => {
  const { store, pool, view, notary, approved } = await wished()
  await using _ = store
  await notary([{ ...view, isApproved: false }]).turn()
  assert.deepEqual(await approved(), [])
  const one = notary([view])
  await one.turn()
  await one.turn()
  const [each, ...others] = await approved()
  assert.equal(others.length, 0)
  const { payment, proofs } = each!
  assert.deepEqual(payment, {
    ...{ withdrawal: 40, user: 7, clientId: 'w1', network: 'tron', chainId: tron.chainId, contract, to: recipient, value: 99_000_000n },
  })
  assert.ok(isSignedBy(ed25519Key(ed25519Public(key)), intentDigest(payment), proofs.engine))
  assert.equal((await pool.query('select from payout_warrants')).rowCount, 1)
})

const bent: Readonly<Record<string, string>> = {
  'another customer': `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
    values (gen_random_uuid(), '100000008', 8, 'b@example.com', '', 0, 'en', 'y', 'retail', 0); update withdrawal_wishes set user_no = 8`,
  'another owner of the address': 'update accounts set core_user = 9',
  'another recipient': `update withdrawal_wishes set recipient = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'`,
  'another address of the list': `update withdrawal_addresses set address = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'`,
  'another network': `update withdrawal_wishes set network = 'ethereum'`,
  'an address of another network': `update withdrawal_addresses set network = 'ethereum'`,
  'another chain': 'update withdrawal_wishes set chain_id = 1',
  'another token': 'update withdrawal_wishes set contract = null',
  'another asset': `update withdrawal_wishes set asset = 'TRX'`,
  'a higher sum': 'update withdrawal_wishes set value = value + 1',
  'a lower sum': 'update withdrawal_wishes set value = value - 1',
  'no wish': 'update withdrawal_wishes set withdrawal = null',
}
for (const [what, change] of Object.entries(bent)) {
  test(`PAYOUT-WARRANT-002: nothing is signed for ${what}, and that is told once`, async () => {
    const { store, pool, view, notary, log } = await wished()
    await using _ = store
    await pool.query(change)
    const one = notary([view])
    await one.turn()
    await one.turn()
    assert.equal((await pool.query('select from payout_warrants')).rowCount, 0)
    assert.equal(log.length, 1)
    assert.match(log[0]!, /Withdrawal 40/)
  })
}

const endings = async (pool: pg.Pool) =>
  (await pool.query<Ending & { engine: string }>('select withdrawal, user_no as user, client_id as "clientId", engine from payout_endings'))
    .rows

test('PAYOUT-WARRANT-004: for a withdrawal that two members ended only that is signed, with the customer’s request of it, and again under another key', async () => {
  const { store, pool, view, notary, approved } = await wished()
  await using _ = store
  await notary([view]).turn()
  assert.deepEqual(await endings(pool), [])
  await pool.query('delete from payout_warrants')
  await ended(pool)
  for (const views of [[{ ...view, isApproved: false }], []]) await notary(views).turn()
  assert.deepEqual(await endings(pool), [])
  const other = ed25519Private(randomBytes(32))
  for (const by of [key, key, other]) {
    await notary([view], by).turn()
    const [{ engine, ...ending }, ...none] = (await endings(pool)) as [SignedEnding['ending'] & { engine: string }]
    assert.deepEqual([ending, none], [{ withdrawal: 40, user: 7, clientId: 'w1' }, []])
    assert.ok(isSignedBy(ed25519Key(ed25519Public(by)), endingDigest(ending), engine))
  }
  assert.deepEqual(await approved(), [])
})

for (const change of ['update withdrawal_wishes set user_no = 8', 'update withdrawal_wishes set withdrawal = null']) {
  test(`PAYOUT-WARRANT-004: the end of a withdrawal without its wish is signed by its number (${change})`, async () => {
    const { store, pool, view, notary, log } = await wished()
    await using _ = store
    if (change.includes('user_no'))
      await pool.query(
        `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
       values (gen_random_uuid(), '100000008', 8, 'b@example.com', '', 0, 'en', 'y', 'retail', 0)`,
      )
    await pool.query(change)
    await ended(pool)
    await notary([view]).turn()
    const [{ engine, ...ending }] = (await endings(pool)) as [Ending & { engine: string }]
    assert.deepEqual(ending, { withdrawal: 40, user: 7, clientId: null })
    assert.ok(isSignedBy(ed25519Key(ed25519Public(key)), endingDigest({ withdrawal: 40, user: 7 }), engine))
    assert.deepEqual(log, [])
  })
}

const addPasskey = `insert into passkeys (id, account, credential, public_key, counter, transports, label, is_synced, created_at)
  values (gen_random_uuid(), $1, 'cred', '\\x0102', 0, '{}', 'phone', false, 0)`

test('PAYOUT-WARRANT-003: an added passkey is signed, and once more when it is removed', async () => {
  const { store, pool, account, notary } = await wished()
  await using _ = store
  const one = notary([])
  await pool.query(addPasskey, [account])
  await one.turn()
  await one.turn()
  const signed = async () => (await pool.query('select user_no, id, what, public_key, engine from signer_keys order by what')).rows
  const [added, ...none] = await signed()
  assert.deepEqual([added.user_no, added.id, added.what, added.public_key, none.length], [7, 'cred', 'add', 'AQI', 0])
  assert.ok(isSignedBy(ed25519Key(ed25519Public(key)), keyDigest(7, 'cred', 'AQI'), added.engine))
  await pool.query('delete from passkeys')
  await one.turn()
  await one.turn()
  assert.deepEqual(
    (await signed()).map(({ what }) => what),
    ['add', 'remove'],
  )
})

test('PAYOUT-KEYS-001: the signer is told of a passkey until it takes or refuses it', async () => {
  const { store, pool, account, notary } = await wished()
  await using _ = store
  await pool.query(addPasskey, [account])
  await notary([]).turn()
  const answers: (Error | undefined)[] = [
    new PayoutWaits('SIGNER_AWAY'),
    ...(['BUSY', 'HALTED', 'CLOCK_BACK', 'JOURNAL_FAILED', 'FAULT'] as readonly Reason[]).map((reason) => new SignerRefused(reason)),
    undefined,
  ]
  const asked = answers.length
  let told = 0
  const addKey = async (): Promise<void> => {
    told++
    const answer = answers.shift()
    if (answer !== undefined) throw answer
  }
  const ring = new Keyring(pool, { addKey, removeKey: () => Promise.reject(new SignerRefused('KEY_KNOWN')) }, () => 9)
  for (let turn = 1; turn < asked; turn++) await assert.rejects(ring.turn())
  await ring.turn()
  await ring.turn()
  assert.equal(told, asked)
  await pool.query('delete from passkeys')
  await notary([]).turn()
  await ring.turn()
  const { rows } = await pool.query('select what, told_at, refusal from signer_keys order by what')
  assert.deepEqual(rows, [
    { what: 'add', told_at: 9, refusal: null },
    { what: 'remove', told_at: 9, refusal: 'KEY_KNOWN' },
  ])
})
