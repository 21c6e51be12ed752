import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SoftPasskey } from '../../../identity/factors/test/soft-passkey.ts'
import type { Reason } from '../reasons.ts'
import * as statement from '../statement.ts'
import { ask, assertion, Custody, customerTron, evmSlot, Key, page, type SignJson, statusOf, usdt, usdtTron } from './custody.ts'

/** A request in which one thing is wrong, and what the signer answers. */
type Tampered = {
  readonly what: string
  readonly reason: Reason | 'unreadable'
  readonly bend: (request: SignJson, custody: Custody) => SignJson
}

const paying =
  (change: Partial<SignJson['payment']>): Tampered['bend'] =>
  (request) => ({ ...request, payment: { ...request.payment, ...change } })

/** Also signed by the engine: the engine's program is in the thief's hands. */
const resigned =
  (change: Partial<statement.Payment>, who: 'engine' | 'all' = 'engine'): Tampered['bend'] =>
  (request, custody) => {
    const payment = custody.payment(change)
    const all = custody.request(payment, { slot: request.slot })
    return who === 'all' ? all : { ...request, payment: all.payment, engine: all.engine }
  }

const other = `0x${'99'.repeat(20)}`

const intents: readonly Tampered[] = [
  { what: 'another withdrawal', reason: 'ENGINE_SIGNATURE', bend: paying({ withdrawal: 2 }) },
  { what: 'another customer', reason: 'ENGINE_SIGNATURE', bend: paying({ user: 8 }) },
  { what: 'another client id', reason: 'ENGINE_SIGNATURE', bend: paying({ clientId: 'w2' }) },
  { what: 'another recipient', reason: 'ENGINE_SIGNATURE', bend: paying({ to: other }) },
  { what: 'another value', reason: 'ENGINE_SIGNATURE', bend: paying({ value: '25000001' }) },
  {
    what: 'the native coin',
    reason: 'ENGINE_SIGNATURE',
    bend: ({ payment: { contract: _, ...payment }, ...rest }) => ({ ...rest, payment }),
  },
  { what: 'no signature of the engine', reason: 'ENGINE_SIGNATURE', bend: (request) => ({ ...request, engine: '00'.repeat(64) }) },
  {
    what: 'a signature of another key',
    reason: 'ENGINE_SIGNATURE',
    bend: (request, custody) => ({ ...request, engine: new Key().sign(statement.intentDigest(custody.payment())) }),
  },
  {
    what: 'the engine’s signature of another kind of statement',
    reason: 'ENGINE_SIGNATURE',
    bend: (request, custody) => ({ ...request, engine: custody.engine.sign(statement.wishDigest(custody.payment())) }),
  },
]

const unreadable: readonly Tampered[] = [
  { what: 'a value of zero', reason: 'unreadable', bend: paying({ value: '0' }) },
  { what: 'a negative value', reason: 'unreadable', bend: paying({ value: '-1' }) },
  { what: 'a value with an exponent', reason: 'unreadable', bend: paying({ value: '1e3' }) },
  { what: 'a value with a leading zero', reason: 'unreadable', bend: paying({ value: '025000000' }) },
  { what: 'a fraction of a withdrawal', reason: 'unreadable', bend: paying({ withdrawal: 1.5 }) },
  { what: 'a recipient with a space', reason: 'unreadable', bend: paying({ to: ` ${other}` }) },
  { what: 'an unknown field', reason: 'unreadable', bend: (request) => ({ ...request, data: '0x00' }) },
  {
    what: 'a nonce below zero',
    reason: 'unreadable',
    bend: (request) => ({ ...request, slot: { ...evmSlot(0), nonce: -1 } as SignJson['slot'] }),
  },
]

const places: readonly Tampered[] = [
  { what: 'an unknown network', reason: 'NETWORK_UNKNOWN', bend: resigned({ network: 'polygon' }, 'all') },
  { what: 'another chain id', reason: 'CHAIN_WRONG', bend: resigned({ chainId: 137 }, 'all') },
  { what: 'an unknown token', reason: 'CONTRACT_UNKNOWN', bend: resigned({ contract: other }, 'all') },
  { what: 'a token of another network', reason: 'CONTRACT_UNKNOWN', bend: resigned({ contract: usdtTron }, 'all') },
  { what: 'a recipient of another network', reason: 'ADDRESS_BAD', bend: resigned({ to: customerTron }, 'all') },
  {
    what: 'a recipient with a wrong checksum',
    reason: 'ADDRESS_BAD',
    bend: resigned({ to: `0xDac17f958d2ee523a2206206994597c13d831ec7` }, 'all'),
  },
  { what: 'the token itself as recipient', reason: 'DESTINATION_DENIED', bend: resigned({ to: usdt }, 'all') },
  { what: 'the zero address', reason: 'DESTINATION_DENIED', bend: resigned({ to: `0x${'00'.repeat(20)}` }, 'all') },
  { what: 'a denied address', reason: 'DESTINATION_DENIED', bend: resigned({ to: `0x${'22'.repeat(20)}` }, 'all') },
  {
    what: 'the own address',
    reason: 'DESTINATION_DENIED',
    bend: (request, custody) => resigned({ to: custody.from('evm') }, 'all')(request, custody),
  },
  { what: 'a slot of another network', reason: 'SLOT_WRONG', bend: (request, custody) => ({ ...request, slot: custody.tronSlot() }) },
]

const customers: readonly Tampered[] = [
  { what: 'another recipient than the customer signed', reason: 'CUSTOMER_PROOF', bend: resigned({ to: other }) },
  { what: 'another value than the customer signed', reason: 'CUSTOMER_PROOF', bend: resigned({ value: 24_000_000n }) },
  { what: 'another client id than the customer signed', reason: 'CUSTOMER_PROOF', bend: resigned({ clientId: 'another' }) },
  { what: 'another customer’s passkey', reason: 'CUSTOMER_KEY', bend: resigned({ user: 8 }, 'all') },
  {
    what: 'an unknown passkey',
    reason: 'CUSTOMER_KEY',
    bend: (request, custody) => withPasskey(request, assertion(new SoftPasskey(page), statement.wishDigest(custody.payment()))),
  },
  {
    what: 'another key under the passkey’s id',
    reason: 'CUSTOMER_PROOF',
    bend: (request, custody) =>
      withPasskey(request, assertion(new SoftPasskey(page, custody.passkey.id), statement.wishDigest(custody.payment()))),
  },
  {
    what: 'a passkey that did not check the person',
    reason: 'CUSTOMER_PROOF',
    bend: (request, custody) =>
      withPasskey(request, assertion(custody.passkey, statement.wishDigest(custody.payment()), { isVerified: false })),
  },
  {
    what: 'a passkey used on another page',
    reason: 'CUSTOMER_PROOF',
    bend: (request, custody) =>
      withPasskey(
        request,
        assertion(custody.passkey, statement.wishDigest(custody.payment()), { origin: 'https://candor.example.evil.com' }),
      ),
  },
  {
    what: 'a passkey used inside another page',
    reason: 'CUSTOMER_PROOF',
    bend: (request, custody) =>
      withPasskey(request, assertion(custody.passkey, statement.wishDigest(custody.payment()), { isFramed: true })),
  },
  {
    what: 'the login’s word for a customer with a passkey',
    reason: 'PASSKEY_NEEDED',
    bend: (request, custody) => ({
      ...request,
      customer: { kind: 'attested', signature: custody.login.sign(statement.attestedDigest(custody.payment())) },
    }),
  },
]

function withPasskey(request: SignJson, used: ReturnType<typeof assertion>): SignJson {
  return { ...request, customer: { kind: 'passkey', assertion: used } }
}

/** Sends the bent request: nothing is signed or written. Then the right one: it is signed. */
async function isRefused({ what, reason, bend }: Tampered): Promise<void> {
  using custody = new Custody()
  using signer = await custody.ready()
  const before = await statusOf(signer)
  const bent = bend(custody.request(), custody)
  if (reason === 'unreadable') await assert.rejects(async () => ask(signer, bent), what)
  else assert.deepEqual(await ask(signer, bent), { ok: false, reason }, what)
  assert.deepEqual(await statusOf(signer), before, `${what}: the journal grew`)
  assert.equal((await ask(signer, custody.request())).ok, true, what)
}

test('SIGNER-INTENT-001: a payment differs in no field from the one that the engine signed', async () => {
  for (const each of [...intents, ...unreadable]) await isRefused(each)
})

test('SIGNER-POLICY-001: only the networks, chain ids and tokens of the policy are paid, and no recipient that it denies', async () => {
  for (const each of places) await isRefused(each)
})

test('SIGNER-CUSTOMER-001: with the engine’s signature alone nothing is paid: the customer’s passkey signed recipient and value', async () => {
  for (const each of customers) await isRefused(each)
})

test('SIGNER-INTENT-002: a withdrawal keeps its first payment, and its transaction can be read again', async () => {
  using custody = new Custody()
  using signer = await custody.ready()
  const request = custody.request()
  const first = await ask(signer, request)
  assert.equal(first.ok, true)
  const { seq } = await statusOf(signer)
  for (const change of [
    { to: other },
    { value: 1n },
    { clientId: 'w9' },
    { network: 'tron', chainId: 728126428, contract: usdtTron, to: customerTron },
  ]) {
    const payment = custody.payment(change)
    assert.deepEqual(await ask(signer, custody.request(payment)), { ok: false, reason: 'INTENT_CHANGED' })
  }
  // Also while the signer is stopped, and after a restart: the transaction may be on its way.
  await custody.beat(signer, false)
  assert.deepEqual(await ask(signer, request), first)
  signer[Symbol.dispose]()
  using again = custody.signer()
  assert.deepEqual(await ask(again, request), first)
  assert.equal((await statusOf(again)).seq, seq)
})

test('SIGNER-INTENT-003: one request of a customer pays one withdrawal, also after a restart', async () => {
  using custody = new Custody()
  const signer = await custody.ready()
  assert.equal((await ask(signer, custody.request())).ok, true)
  const twice = custody.request(custody.payment({ withdrawal: 2, clientId: 'w1' }))
  assert.deepEqual(await ask(signer, twice), { ok: false, reason: 'PROOF_USED' })
  signer[Symbol.dispose]()
  using again = custody.signer()
  await custody.beat(again)
  assert.deepEqual(await ask(again, twice), { ok: false, reason: 'PROOF_USED' })
})

test('SIGNER-CUSTOMER-002: a new passkey counts after a day, a removed one never again', async () => {
  using custody = new Custody()
  using signer = await custody.ready()
  const young = new SoftPasskey(page)
  const payment = custody.payment({ user: 8 })
  const request = () => withPasskey(custody.request(payment), assertion(young, statement.wishDigest(payment)))
  const made = custody.keyRequest(8, young)
  assert.deepEqual(await ask(signer, { ...made, user: 7 }), { ok: false, reason: 'ENGINE_SIGNATURE' })
  assert.equal((await ask(signer, made)).ok, true)
  assert.deepEqual(await ask(signer, made), { ok: false, reason: 'KEY_KNOWN' })
  assert.deepEqual(await ask(signer, custody.keyRequest(9, young)), { ok: false, reason: 'KEY_KNOWN' })
  custody.now += 86_399_999
  await custody.beat(signer)
  assert.deepEqual(await ask(signer, request()), { ok: false, reason: 'CUSTOMER_KEY' })
  custody.now += 1
  assert.equal((await ask(signer, request())).ok, true)

  const { id } = made
  const removal = (user: number) =>
    ({ kind: 'key.remove', user, id, engine: custody.engine.sign(statement.keyRemovalDigest(user, id)) }) as const
  assert.deepEqual(await ask(signer, removal(7)), { ok: false, reason: 'CUSTOMER_KEY' })
  assert.deepEqual(await ask(signer, { ...removal(8), engine: made.engine }), { ok: false, reason: 'ENGINE_SIGNATURE' })
  assert.equal((await ask(signer, removal(8))).ok, true)
  const next = custody.payment({ withdrawal: 2, user: 8 })
  const late = withPasskey(custody.request(next), assertion(young, statement.wishDigest(next)))
  assert.deepEqual(await ask(signer, late), { ok: false, reason: 'CUSTOMER_KEY' })
  assert.deepEqual(await ask(signer, made), { ok: false, reason: 'KEY_KNOWN' })
  custody.now += 86_400_000
  await custody.beat(signer)
  assert.deepEqual(await ask(signer, late), { ok: false, reason: 'CUSTOMER_KEY' })
})

test('SIGNER-CUSTOMER-003: the login’s word stands in for a passkey only where none counted in the last day', async () => {
  using custody = new Custody()
  using signer = await custody.ready()
  const attested = (withdrawal: number, user: number, login = custody.login) => {
    const payment = custody.payment({ withdrawal, user })
    return custody.request(payment, { customer: { kind: 'attested', signature: login.sign(statement.attestedDigest(payment)) } })
  }
  assert.deepEqual(await ask(signer, attested(1, 8, custody.engine)), { ok: false, reason: 'CUSTOMER_PROOF' })
  assert.deepEqual(await ask(signer, { ...attested(1, 8), customer: attested(2, 8).customer }), { ok: false, reason: 'CUSTOMER_PROOF' })
  assert.equal((await ask(signer, attested(1, 8))).ok, true)
  assert.deepEqual(await ask(signer, attested(2, 7)), { ok: false, reason: 'PASSKEY_NEEDED' })
  const { id } = custody.keyRequest()
  await ask(signer, { kind: 'key.remove', user: 7, id, engine: custody.engine.sign(statement.keyRemovalDigest(7, id)) })
  assert.deepEqual(await ask(signer, attested(2, 7)), { ok: false, reason: 'PASSKEY_NEEDED' })
  custody.now += 86_400_000
  await custody.beat(signer)
  assert.equal((await ask(signer, attested(2, 7))).ok, true)
})

test('SIGNER-APPROVAL-001: above the limit two different operators signed this very payment', async () => {
  using custody = new Custody()
  using signer = await custody.ready()
  const large = custody.payment({ value: 10_000_010_000n })
  const small = custody.payment()
  const { ada, ben } = { ada: custody.approval('ada', large), ben: custody.approval('ben', large) }
  const cleo = { kind: 'passkey', operator: 'cleo', assertion: assertion(custody.cleo, statement.approvalDigest(large)) } as const
  const cases: readonly [string, statement.Payment, SignJson['approvals'], Reason][] = [
    ['none', large, [], 'APPROVALS_MISSING'],
    ['one', large, [ada], 'APPROVALS_MISSING'],
    ['the same twice', large, [ada, ada], 'APPROVAL_BAD'],
    ['one under two names', large, [ada, { ...ada, operator: 'ben' }], 'APPROVAL_BAD'],
    ['a stranger', large, [ada, { ...ben, operator: 'dan' }], 'APPROVAL_BAD'],
    ['of another payment', large, [ada, custody.approval('ben', small)], 'APPROVAL_BAD'],
    ['of another key', large, [ada, custody.approval('ben', large, new Key())], 'APPROVAL_BAD'],
    ['of the engine', large, [ada, custody.approval('ben', large, custody.engine)], 'APPROVAL_BAD'],
    ['a key where a passkey is', large, [ada, { ...ben, operator: 'cleo' }], 'APPROVAL_BAD'],
    [
      'a passkey of a customer',
      large,
      [ada, { ...cleo, assertion: assertion(custody.passkey, statement.approvalDigest(large)) }],
      'APPROVAL_BAD',
    ],
    [
      'a passkey that signed the intent',
      large,
      [ada, { ...cleo, assertion: assertion(custody.cleo, statement.intentDigest(large)) }],
      'APPROVAL_BAD',
    ],
    ['a wrong one where none is needed', small, [ada], 'APPROVAL_BAD'],
  ]
  for (const [what, payment, approvals, reason] of cases) {
    assert.deepEqual(await ask(signer, custody.request(payment, { approvals })), { ok: false, reason }, what)
  }
  assert.equal((await ask(signer, custody.request(large, { approvals: [ada, ben] }))).ok, true)
  const next = custody.payment({ withdrawal: 2, value: 10_000_010_000n })
  const passkey = { ...cleo, assertion: assertion(custody.cleo, statement.approvalDigest(next)) }
  assert.equal((await ask(signer, custody.request(next, { approvals: [passkey, custody.approval('ben', next)] }))).ok, true)
  // Exactly the limit needs nobody.
  assert.equal((await ask(signer, custody.request(custody.payment({ withdrawal: 3, value: 10_000_000_000n })))).ok, true)
})

test('SIGNER-BOOKS-001: without a signed statement of the last ten minutes that books and chain match, nothing is signed', async () => {
  using custody = new Custody()
  using signer = await custody.ready()
  const refused = async (reason: Reason): Promise<void> => assert.deepEqual(await ask(signer, custody.request()), { ok: false, reason })
  custody.now += 600_000
  await refused('HEARTBEAT_STALE')
  const { seq, head } = await statusOf(signer)
  const beat = { at: custody.now, isMatch: true, seq, head }
  const cases: readonly [Partial<statement.Heartbeat>, Reason, Key?][] = [
    [{}, 'HEARTBEAT_SIGNATURE', custody.engine],
    [{ at: custody.now - 600_000 }, 'HEARTBEAT_STALE'],
    [{ at: custody.now + 30_001 }, 'HEARTBEAT_STALE'],
    [{ seq: seq + 1 }, 'JOURNAL_BEHIND'],
    [{ head: '11'.repeat(32) }, 'JOURNAL_BEHIND'],
  ]
  for (const [change, reason, key] of cases) {
    assert.deepEqual(await ask(signer, custody.heartbeat({ ...beat, ...change }, key)), { ok: false, reason })
    await refused('HEARTBEAT_STALE')
  }
  const right = custody.heartbeat(beat)
  assert.deepEqual(await ask(signer, { ...right, heartbeat: { ...beat, isMatch: false } } as typeof right), {
    ok: false,
    reason: 'HEARTBEAT_SIGNATURE',
  })
  assert.equal((await ask(signer, right)).ok, true)
  custody.now += 1_000
  await custody.beat(signer, false)
  await refused('BOOKS_DIFFER')
  // The older statement, sent again, does not undo the newer one.
  assert.deepEqual(await ask(signer, right), { ok: false, reason: 'HEARTBEAT_STALE' })
  await refused('BOOKS_DIFFER')
  custody.now += 1_000
  await custody.beat(signer)
  assert.equal((await ask(signer, custody.request())).ok, true)
  signer[Symbol.dispose]()
  using again = custody.signer()
  assert.deepEqual(await ask(again, custody.request(custody.payment({ withdrawal: 2 }))), { ok: false, reason: 'HEARTBEAT_STALE' })
  // Nor does a restart let one count that was made before it.
  const { seq: newest, head: top } = await statusOf(again)
  const earlier = custody.heartbeat({ at: custody.now - 1, isMatch: true, seq: newest, head: top })
  assert.deepEqual(await ask(again, earlier), { ok: false, reason: 'HEARTBEAT_STALE' })
  assert.equal((await custody.beat(again)).ok, true)
})

test('SIGNER-CLOCK-001: a clock behind the journal stops the signer', async () => {
  using custody = new Custody()
  using signer = await custody.ready()
  custody.now += 60_000
  assert.equal((await ask(signer, custody.request())).ok, true)
  custody.now -= 5_001
  const next = () => custody.request(custody.payment({ withdrawal: 2 }))
  assert.deepEqual(await ask(signer, next()), { ok: false, reason: 'CLOCK_BACK' })
  custody.now += 1
  assert.equal((await ask(signer, next())).ok, true)
  // Set forward, the statement about the books is too old: caps of the day can't be shortened that way.
  custody.now += 86_400_000
  assert.deepEqual(await ask(signer, custody.request(custody.payment({ withdrawal: 3 }))), { ok: false, reason: 'HEARTBEAT_STALE' })
})
