import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Units } from '@candor/core/money/brand.ts'
import type { NetworkNumber, WithdrawalNumber } from '@candor/core/protocol/ids.ts'
import type { WireWithdrawal } from '@candor/core/protocol/wire/chains.ts'
import { readKey } from '../../chains/keys.ts'
import { Memory } from '../../chains/signer/memory.ts'
import type { Policy } from '../../chains/signer/policy.ts'
import { checkCustomer } from '../../chains/signer/proofs.ts'
import { ed25519Public, type Payment } from '../../chains/signer/statement.ts'
import type { SignRequest } from '../../chains/signer/wire.ts'
import { mendWishes } from '../../chains/desk/wishes.ts'
import { ChainsFolder } from '../../chains/test/chains-folder.ts'
import { SoftPasskey } from '../../identity/factors/test/soft-passkey.ts'
import { request, startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'

let exchange: TestExchange
let folder: ChainsFolder
before(async () => {
  folder = new ChainsFolder()
  exchange = await startExchange({ seed: 'withdrawals', hasFeeds: false, settings: { chainsFolder: folder.path } })
  const { assets } = await exchange.link.ask.listing()
  const asset = assets.find(({ symbol }) => symbol === 'USDT')!.id
  // Each waits for a person, so that none is approved meanwhile.
  const terms = { isOpen: true, min: usdt(10), fee: usdt(1), autoMax: usdt(0), singleMax: usdt(10_000) }
  for (const network of [1, 2] as NetworkNumber[]) await exchange.link.submit({ type: 'withdraw.setTerms', asset, network, terms })
})
after(async () => {
  await exchange[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const usdt = (whole: number): Units => (whole * 1_000_000) as Units
const day = 86_400_000
const pin = '248163'
const target = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
const sql = (text: string, values: readonly unknown[] = []) => exchange.store.pool.query(text, [...values])
const ofAccount = '(select id from accounts where uid = $1)'
const prove = ({ uid }: TestUser) => sql(`update sessions set proven_at = $2 where account = ${ofAccount}`, [uid, Date.now()])
const openAgain = ({ uid }: TestUser) => sql('update accounts set withdrawals_closed_until = 0 where uid = $1', [uid])

/** A certified user with coins, a payment password, and an address that has waited. */
async function customer({ isCertified = true } = {}): Promise<TestUser & { readonly address: string }> {
  const user = await exchange.user({ isCertified, funds: { USDT: '100000' } })
  await prove(user)
  assert.equal((await user.call('PUT', '/auth/payment-password', { digits: pin })).status, 204)
  const added = await user.call('POST', '/withdrawal-addresses', { network: 'tron', address: target, label: 'wallet', owner: 'own' })
  await sql(`update withdrawal_addresses set added_at = added_at - ${day}, usable_at = usable_at - ${day} where account = ${ofAccount}`, [
    user.uid,
  ])
  return { ...user, address: added.body.id }
}

const wish = (address: string, more: object = {}) => ({
  ...{ clientId: randomUUID(), asset: 'USDT', network: 'tron', address, amount: '100', fee: '1' },
  ...more,
})
const ask = (user: TestUser, body: object) => user.call('POST', '/withdrawals', { paymentPassword: pin, ...body })
const mine = async (user: TestUser): Promise<readonly WireWithdrawal[]> => (await user.call('GET', '/withdrawals')).body.items
const available = async (user: TestUser): Promise<string> =>
  (await user.call('GET', '/balances')).body.accounts[0].balances.find(({ asset }: { asset: string }) => asset === 'USDT').available

/** The wish as the chains' process reads it, for the check that the signer makes. */
async function signed(user: TestUser, clientId: string, keys: Memory = new Memory(), origin = exchange.url) {
  const { rows } = await sql('select * from withdrawal_wishes where user_no = $1 and client_id = $2', [user.id, clientId])
  const [row] = rows
  const payment: Payment = {
    ...{ withdrawal: row.withdrawal ?? 0, user: user.id, clientId, network: row.network, chainId: row.chain_id },
    ...{ contract: row.contract, to: row.recipient, value: BigInt(row.value) },
  }
  const login = ed25519Public(readKey(folder.path, 'login'))
  const policy = { login, passkeys: { rpId: new URL(origin).hostname, origins: [origin] } } as unknown as Policy
  return checkCustomer({ payment, customer: row.customer } as unknown as SignRequest, policy, keys, Date.now())
}

test('COINS-WITHDRAW-001: with payment password and proof, a withdrawal holds its amount and waits under review, and the signer takes the login’s word', async () => {
  assert.equal((await request(exchange.url, 'GET', '/withdrawals')).status, 401)
  const user = await customer()
  const body = wish(user.address)
  const prepared = await user.call('POST', '/withdrawals/prepare', body)
  assert.deepEqual([prepared.status, prepared.body], [200, { address: target, received: '99', people: 1 }])
  const made = await ask(user, body)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const [one] = await mine(user)
  assert.deepEqual(
    [one?.id, one?.status, one?.step, one?.amount, one?.fee, one?.received, one?.address, one?.label, one?.network],
    [made.body.id, 'under-review', 'requested', '100', '1', '99', target, 'wallet', 'tron'],
  )
  assert.equal(await available(user), '99900')
  const { rows } = await sql('select withdrawal, value from withdrawal_wishes where user_no = $1', [user.id])
  assert.deepEqual(rows, [{ withdrawal: Number(made.body.id), value: '99000000' }])
  assert.deepEqual(await signed(user, body.clientId), { isAttested: true })
  const { rows: log } = await sql(`select detail from audit_log where account = ${ofAccount} and action = 'withdrawal-requested'`, [
    user.uid,
  ])
  assert.deepEqual(log, [{ detail: { amount: '100 USDT', network: 'TRC20', destination: target } }])
})

test('COINS-WITHDRAW-002: a repeat under the same client id gets the first answer; another wish under it is refused', async () => {
  const user = await customer()
  const body = wish(user.address)
  const answers = await Promise.all([ask(user, body), ask(user, body)])
  const again = await ask(user, body)
  assert.deepEqual(
    answers.map(({ status, body: { id } }) => [status, id]),
    [
      [201, again.body.id],
      [201, again.body.id],
    ],
  )
  assert.equal((await mine(user)).length, 1)
  assert.equal((await user.call('GET', '/withdrawal-addresses')).body.addresses[0].uses, 1)
  assert.equal((await ask(user, { ...body, amount: '200' })).body.code, 'CLIENT_ID_REUSED')
  assert.equal(await available(user), '99900')
})

test('COINS-WITHDRAW-003: without a proof, or with a wrong payment password, nothing is asked for', async () => {
  const user = await customer()
  await sql(`update sessions set proven_at = null where account = ${ofAccount}`, [user.uid])
  assert.deepEqual((await ask(user, { ...wish(user.address), paymentPassword: '000001' })).body.code, 'PROOF_NEEDED')
  await prove(user)
  assert.equal((await ask(user, { ...wish(user.address), paymentPassword: '000001' })).body.code, 'PAYMENT_PASSWORD_WRONG')
  assert.deepEqual(await mine(user), [])
  const { rowCount } = await sql('select from withdrawal_wishes where user_no = $1', [user.id])
  assert.equal(rowCount, 0)
})

test('COINS-WITHDRAW-004: for a day after a change of the account’s protection, withdrawals are refused with the time to wait', async () => {
  const user = await customer()
  await sql('update accounts set withdrawals_closed_until = $2 where uid = $1', [user.uid, Date.now() + 3_600_000])
  for (const answer of [await user.call('POST', '/withdrawals/prepare', wish(user.address)), await ask(user, wish(user.address))]) {
    assert.equal(answer.body.code, 'WITHDRAWALS_PAUSED')
    assert.ok(answer.body.retryAfter > 3_500 && answer.body.retryAfter <= 3_600)
  }
})

test('COINS-WITHDRAW-010: a request that the core refused before is refused in a pause, too; the repeat of an accepted one gets its answer', async () => {
  const user = await customer()
  const [large, later] = [wish(user.address, { amount: '45000' }), wish(user.address, { amount: '10000' })]
  const { id } = (await ask(user, large)).body
  assert.equal((await ask(user, later)).body.code, 'DAILY_LIMIT')
  assert.equal((await user.call('DELETE', `/withdrawals/${id}`)).status, 204)
  await sql('update accounts set withdrawals_closed_until = $2 where uid = $1', [user.uid, Date.now() + 3_600_000])
  assert.equal((await ask(user, later)).body.code, 'WITHDRAWALS_PAUSED')
  assert.equal((await ask(user, large)).body.id, id)
  assert.equal(await available(user), '100000')
})

test('COINS-WITHDRAW-005: what can’t be withdrawn is refused before anything is written', async () => {
  const user = await customer()
  const cases: readonly [object, string][] = [
    [{ fee: '2' }, 'FEE_CHANGED'],
    [{ amount: '9' }, 'AMOUNT_TOO_SMALL'],
    [{ amount: '200000' }, 'INSUFFICIENT_BALANCE'],
    [{ address: randomUUID() }, 'ADDRESS_UNKNOWN'],
    [{ network: 'ethereum' }, 'ADDRESS_OTHER_NETWORK'],
    [{ network: 'nowhere' }, 'NETWORK_UNKNOWN'],
    [{ asset: 'BTC' }, 'ASSET_UNKNOWN'],
    [{ amount: '10.0000001' }, 'TOO_MANY_DIGITS'],
  ]
  for (const [more, code] of cases) assert.equal((await ask(user, wish(user.address, more))).body.code, code)
  const other = await customer()
  assert.equal((await ask(user, wish(other.address))).body.code, 'ADDRESS_UNKNOWN')
  await user.call('POST', '/withdrawal-addresses', {
    network: 'tron',
    address: 'TR7NHqjeKQxGTCi8f6HwQQEworttSnLj6t',
    label: 'new',
    owner: 'own',
  })
  const { addresses } = (await user.call('GET', '/withdrawal-addresses')).body
  const fresh = addresses.find(({ label }: { label: string }) => label === 'new').id
  assert.equal((await ask(user, wish(fresh))).body.code, 'ADDRESS_WAITS')
  assert.equal((await ask(user, wish(user.address, { amount: '60000' }))).body.code, 'DAILY_LIMIT')
  const uncertified = await customer({ isCertified: false })
  assert.equal((await ask(uncertified, wish(uncertified.address))).body.code, 'NOT_CERTIFIED')
  assert.equal(await available(user), '100000')
})

/** A passkey of the user, just made, and requests as a page sends them. */
async function withPasskey(user: TestUser) {
  const page = (path: string, body: object) =>
    fetch(`${exchange.url}/app/v1${path}`, {
      ...{ method: 'POST', headers: { cookie: user.cookie, origin: exchange.url, 'content-type': 'application/json' } },
      body: JSON.stringify(body),
    }).then(async (answer) => (await answer.json()) as Record<string, any>)
  const passkey = new SoftPasskey(exchange.url)
  const options = await fetch(`${exchange.url}/app/v1/auth/passkeys/options`, {
    ...{ method: 'POST', headers: { cookie: user.cookie, origin: exchange.url } },
  })
  const response = passkey.create((await options.json()) as { options: Record<string, unknown> })
  await page('/auth/passkeys', { label: 'phone', response })
  await openAgain(user)
  return { page, passkey }
}

test('COINS-WITHDRAW-006: an account with a passkey older than a day signs each withdrawal with it, and the signer takes that signature', async () => {
  const user = await customer()
  const { page, passkey } = await withPasskey(user)
  assert.equal((await user.call('GET', '/withdrawals/standing')).body.isKeyNeeded, false)
  await sql(`update passkeys set created_at = created_at - ${day} - 60000 where account = ${ofAccount}`, [user.uid])
  assert.equal((await user.call('GET', '/withdrawals/standing')).body.isKeyNeeded, true)

  const body = wish(user.address)
  assert.equal((await ask(user, body)).body.code, 'WITHDRAWAL_PASSKEY')
  assert.equal((await user.call('POST', '/withdrawals/prepare', body)).body.code, 'ORIGIN_REFUSED')
  const { passkey: asked } = await page('/withdrawals/prepare', body)
  assert.equal(asked['userVerification'], 'required')
  const signature = passkey.sign({ options: asked as Record<string, unknown> })
  const other = { ...body, amount: '101' }
  assert.equal((await page('/withdrawals', { ...other, paymentPassword: pin, passkey: signature }))['code'], 'PASSKEY_WRONG')
  const stranger = new SoftPasskey(exchange.url).sign({ options: asked as Record<string, unknown> })
  assert.equal((await page('/withdrawals', { ...body, paymentPassword: pin, passkey: stranger }))['code'], 'PASSKEY_WRONG')
  const made = await page('/withdrawals', { ...body, paymentPassword: pin, passkey: signature })
  assert.ok(made['id'], JSON.stringify(made))

  const keys = new Memory()
  const { rows } = await sql(`select credential, public_key from passkeys where account = ${ofAccount}`, [user.uid])
  const key = { user: user.id, publicKey: rows[0].public_key.toString('base64url'), addedAt: Date.now() - 2 * day, removedAt: undefined }
  keys.keys.set(rows[0].credential, key)
  assert.deepEqual(await signed(user, body.clientId, keys), { isAttested: false })
})

test('COINS-WITHDRAW-009: a passkey’s signature that the signer would not read is refused, and nothing is written', async () => {
  const user = await customer()
  const { page, passkey } = await withPasskey(user)
  await sql(`update passkeys set created_at = created_at - ${day} - 60000 where account = ${ofAccount}`, [user.uid])
  const body = wish(user.address)
  const { passkey: asked } = await page('/withdrawals/prepare', body)
  const options = { options: asked as Record<string, unknown> }
  const right = passkey.sign(options)
  const long = passkey.sign(options, { more: 'a'.repeat(4_000) })
  const { response, ...rest } = passkey.sign(options) as { response: { signature: string } }
  const filled = { ...rest, response: { ...response, signature: `${response.signature}==` } }
  for (const signature of [long, filled, { id: right['id'] }])
    assert.equal((await page('/withdrawals', { ...body, paymentPassword: pin, passkey: signature }))['code'], 'PASSKEY_WRONG')
  const { rowCount } = await sql('select from withdrawal_wishes where user_no = $1', [user.id])
  assert.equal(rowCount, 0)
})

test('COINS-WITHDRAW-007: a customer cancels a withdrawal until it is decided, and nobody else does', async () => {
  const [user, other] = [await customer(), await customer()]
  const { id } = (await ask(user, wish(user.address))).body
  assert.equal((await other.call('DELETE', `/withdrawals/${id}`)).body.code, 'WITHDRAWAL_UNKNOWN')
  assert.equal((await user.call('DELETE', `/withdrawals/${id}`)).status, 204)
  const [one] = await mine(user)
  assert.deepEqual([one?.status, one?.step], ['cancelled', 'cancelled'])
  assert.equal(await available(user), '100000')
  const second = (await ask(user, wish(user.address))).body.id
  await decide(second, true)
  assert.equal((await user.call('DELETE', `/withdrawals/${second}`)).body.code, 'WITHDRAWAL_STATE')
  assert.deepEqual(await mine(other), [])
})

test('USER-ACTIVITY-006: requested and cancelled withdrawals are entries of funds, each once', async () => {
  const user = await customer()
  const { id } = (await ask(user, wish(user.address))).body
  await user.call('DELETE', `/withdrawals/${id}`)
  const entries = async (): Promise<readonly string[]> =>
    (await user.call('GET', '/activity')).body.items.map(({ kind, action }: { kind: string; action: string }) => `${kind} ${action}`)
  while (!(await entries()).includes('funds withdraw.cancel')) await new Promise((resolve) => setTimeout(resolve, 50))
  assert.deepEqual(
    (await entries()).filter((entry) => entry.includes('withdraw') && !entry.includes('address')),
    ['funds withdraw.cancel', 'funds withdraw.request'],
  )
})

/** The withdrawal, once the tables say that it has come to this step. */
async function at(user: TestUser, id: string, step: WireWithdrawal['step']): Promise<WireWithdrawal> {
  for (;;) {
    const one = (await mine(user)).find((each) => each.id === id)
    if (one?.step === step) return one
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const decide = (id: string, isApproved: boolean, reason = '') =>
  exchange.link.submit({
    ...{ type: 'withdraw.decide', withdrawal: Number(id) as WithdrawalNumber, isApproved, first: 1, second: 0, reason },
  })

test('COINS-WITHDRAW-008: a withdrawal shows its steps: approved, sent with its transaction, confirmed, completed; or rejected with the reason', async () => {
  const user = await customer()
  const { id } = (await ask(user, wish(user.address))).body
  await decide(id, true)
  assert.equal((await at(user, id, 'approved')).status, 'under-review')
  await sql(
    `insert into payouts (withdrawal, network, chain_id, user_no, client_id, contract, recipient, value, proofs, state, taken_at)
     values ($1, 'tron', 1, $2, $3, 'c', $4, 99000000, '{}', 'signed', 1)`,
    [id, user.id, randomUUID(), target],
  )
  await sql(
    `insert into payout_attempts (withdrawal, n, slot, raw, txid, fate, planned_at, signed_at, sent_at, sends)
     values ($1, 1, '{"kind":"tron","timestamp":7}', 'aa', 'cd34', 'open', 1, 2, 3, 1)`,
    [id],
  )
  assert.equal((await at(user, id, 'sent')).txid, 'cd34')
  await sql("update payouts set state = 'settled', fate = 'paid', txid = 'cd34', block = 9, settled_at = 4 where withdrawal = $1", [id])
  assert.equal((await at(user, id, 'confirmed')).status, 'under-review')
  await exchange.link.submit({ type: 'withdraw.finish', withdrawal: Number(id) as WithdrawalNumber, isPaid: true })
  const done = await at(user, id, 'completed')
  assert.deepEqual([done.status, done.txid], ['completed', 'cd34'])
  assert.ok(done.requestedAt <= done.endedAt!)

  const refused = (await ask(user, wish(user.address))).body.id
  await decide(refused, false, 'The address belongs to somebody else')
  await at(user, refused, 'rejected')
  const rejected = (await user.call('GET', '/withdrawals?status=rejected')).body.items
  assert.deepEqual(
    rejected.map((one: WireWithdrawal) => [one.id, one.status, one.reason]),
    [[refused, 'rejected', 'The address belongs to somebody else']],
  )
  assert.equal((await user.call('GET', '/withdrawals?limit=1')).body.items[0].id, refused)
})

test('COINS-STANDING-001: a customer sees what is left today, what is not final and what is owed', async () => {
  const user = await customer()
  await ask(user, wish(user.address, { amount: '250' }))
  const { body } = await user.call('GET', '/withdrawals/standing')
  assert.deepEqual(body, { today: { limit: '50000', used: '250' }, unfinal: [], debts: [], isKeyNeeded: false })
})

test('COINS-MEND-001: a wish whose number was not noted gets the number of its withdrawal, once and no other', async () => {
  const user = await customer()
  const [first, second] = [wish(user.address), wish(user.address)]
  const ids = [(await ask(user, first)).body.id, (await ask(user, second)).body.id]
  await mine(user)
  await sql('update withdrawal_wishes set withdrawal = null where user_no = $1', [user.id])
  const { pool } = exchange.store
  assert.equal(await mendWishes(pool, folder.config, Date.now()), 0)
  assert.equal(await mendWishes(pool, folder.config, Date.now() + 120_000), 2)
  const { rows } = await sql('select client_id, withdrawal from withdrawal_wishes where user_no = $1 order by made_at', [user.id])
  assert.deepEqual(
    rows.map(({ withdrawal }) => String(withdrawal)),
    ids,
  )
  assert.equal(await mendWishes(pool, folder.config, Date.now() + 120_000), 0)
})
