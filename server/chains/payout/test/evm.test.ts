import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { EvmLab, finality, recipient } from './evm-lab.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

test('PAYOUT-PAID-001: an approved withdrawal is signed by the signer’s process, sent, and paid once its block is final', async () => {
  await using lab = await EvmLab.open(server)
  lab.approve(1)
  const payout = lab.payout()
  assert.equal(await payout.pass(), true)
  const [row] = await lab.rows<{ state: string; nonce: number; trouble: string | null }>('select * from payouts')
  assert.deepEqual({ state: row?.state, nonce: row?.nonce, trouble: row?.trouble }, { state: 'signed', nonce: 0, trouble: null })
  await lab.anvil.mine(1)
  await payout.pass()
  assert.equal(lab.core.ended.has(1), false)
  await lab.anvil.mine(finality + 2)
  await payout.pass()
  assert.deepEqual([...lab.core.ended], [[1, true]])
  assert.deepEqual([...(await lab.paid())], [[1_000_001n, 1]])
  const [{ state, fate, fee }] = (await lab.rows<{ state: string; fate: string; fee: string }>('select * from payouts')) as [never]
  assert.deepEqual({ state, fate }, { state: 'done', fate: 'paid' })
  assert.ok(BigInt(fee) > 0n)
})

/** A payout whose first transaction the node lost, and what its next pass does. */
async function lost(lab: EvmLab) {
  lab.approve(1)
  const payout = lab.payout({ times: { resendMs: 0, retryMs: 0 }, chain: lab.chain({ bumpMs: 10_000_000 }) })
  lab.door.arm('lose')
  await payout.pass()
  const row = async () =>
    (await lab.rows<{ state: string; fate: string | null; trouble: string | null }>('select * from payouts order by withdrawal'))[0]!
  return { payout, row }
}

test('PAYOUT-END-001: a payment that its final block shows as failed pays nothing, and the core is told so', async () => {
  await using lab = await EvmLab.open(server)
  const { payout, row } = await lost(lab)
  await lab.anvil.call(lab.contract, 'TestToken', 'setPaused', [true])
  await lab.anvil.mine(1)
  await payout.pass()
  await lab.anvil.mine(1)
  await payout.pass()
  assert.equal(lab.core.ended.size, 0)
  await lab.anvil.mine(finality + 2)
  await payout.pass()
  assert.deepEqual([...lab.core.ended], [[1, false]])
  const { state, fate } = await row()
  assert.deepEqual([state, fate, (await lab.paid()).size], ['done', 'reverted', 0])
})

test('PAYOUT-END-002: a nonce that another transaction used stops the network, and the core is told nothing', async () => {
  await using lab = await EvmLab.open(server)
  const { payout, row } = await lost(lab)
  const { client } = lab.anvil
  const address = lab.signing.custody.from('evm') as `0x${string}`
  await client.impersonateAccount({ address })
  await client.sendUnsignedTransaction({ from: address, to: address, value: 1n, nonce: 0, gas: 21_000n })
  await lab.anvil.mine(finality + 4)
  await payout.pass()
  assert.equal((await row()).trouble, 'NONCE_FOREIGN')
  lab.approve(2)
  await payout.pass()
  await lab.anvil.mine(finality + 4)
  await payout.pass()
  const states = (await lab.rows<{ state: string }>('select state from payouts order by withdrawal')).map(({ state }) => state)
  assert.deepEqual([states, lab.core.ended.size, (await lab.paid()).size], [['signed', 'taken'], 0, 0])
})

test('PAYOUT-END-003: a transaction that succeeded without a transfer in its log counts neither as paid nor as failed', async () => {
  await using lab = await EvmLab.open(server)
  const { payout, row } = await lost(lab)
  // A token that stops before it does anything.
  await lab.anvil.client.setCode({ address: lab.contract, bytecode: '0x00' })
  await payout.pass()
  await lab.anvil.mine(finality + 4)
  await payout.pass()
  const { state, trouble } = await row()
  assert.deepEqual([state, trouble, lab.core.ended.size], ['signed', 'NO_EFFECT', 0])
})

test('PAYOUT-ROOM-001: payouts in a block leave room for new ones before it is final, and at most 16 wait for one', async () => {
  await using lab = await EvmLab.open(server)
  const signed = async () =>
    (await lab.rows<{ count: number }>(`select count(*)::int as count from payouts where state = 'signed'`))[0]!.count
  for (let w = 1; w <= 40; w++) lab.approve(w)
  const payout = lab.payout({ chain: lab.chain({ bumpMs: 10_000_000 }) })
  await payout.pass()
  await payout.pass()
  assert.equal(await signed(), 16)
  await lab.anvil.mine(1)
  await payout.pass()
  assert.deepEqual([await signed(), lab.core.ended.size], [32, 0])
  await lab.anvil.mine(1)
  await payout.pass()
  await lab.anvil.mine(finality + 2)
  await payout.pass()
  assert.equal(lab.core.ended.size, 40)
  assert.ok([...(await lab.paid()).values()].every((count) => count === 1))
})

test('PAYOUT-GROUP-001: of payouts that begin together, those behind one that the signer refuses get the free nonces in the same pass', async () => {
  await using lab = await EvmLab.open(server)
  const places = async () =>
    (await lab.rows<{ nonce: number | null; trouble: string | null }>('select nonce, trouble from payouts order by withdrawal')).map(
      ({ nonce, trouble }) => [nonce, trouble] as const,
    )
  for (let w = 1; w <= 5; w++) lab.approve(w, w === 3 ? { value: 20_000_000_000_000n } : {})
  const payout = lab.payout({ chain: lab.chain({ bumpMs: 10_000_000 }) })
  await payout.pass()
  const [first, second, refused, ...behind] = await places()
  assert.deepEqual([first, second, refused![0]], [[0, null], [1, null], null])
  assert.notEqual(refused![1], null)
  assert.deepEqual(behind, [
    [2, null],
    [3, null],
  ])
  await lab.anvil.mine(finality + 4)
  await payout.pass()
  assert.deepEqual([...lab.core.ended.keys()].toSorted(), [1, 2, 4, 5])
})

test('PAYOUT-GROUP-002: however many payments are above a cap of the signer, one behind them is paid with the next pass', async () => {
  await using lab = await EvmLab.open(server, (policy) => void (policy.attested.payment = 200))
  const payout = lab.payout({ chain: lab.chain({ bumpMs: 10_000_000 }) })
  lab.approve(1)
  await payout.pass()
  for (let w = 2; w <= 25; w++) lab.approve(w, { value: 3_000_000n })
  lab.approve(26)
  await payout.pass()
  await payout.pass()
  const rows = await lab.rows<{ state: string; trouble: string | null }>('select state, trouble from payouts order by withdrawal')
  const said = rows.map(({ state, trouble }) => `${state} ${trouble ?? ''}`)
  assert.deepEqual(said, ['signed ', ...Array.from({ length: 24 }, () => 'taken CAP_ATTESTED'), 'signed '])
})

test('PAYOUT-OTHERS-001: a withdrawal whose proof the signer can’t read keeps nobody else from being paid', async () => {
  await using lab = await EvmLab.open(server)
  const { payment, proofs } = lab.signing.approve(lab.payment(1))
  const assertion = { id: 'a', clientDataJSON: 'A'.repeat(4_001), authenticatorData: 'AA', signature: 'AA' }
  lab.core.approvals.set(1, { payment, proofs: { ...proofs, customer: { kind: 'passkey', assertion } } })
  // Longer than anything that the link carries.
  const long = lab.signing.approve(lab.payment(2))
  const endless = { ...assertion, clientDataJSON: 'A'.repeat(70_000) }
  lab.core.approvals.set(2, { ...long, proofs: { ...long.proofs, customer: { kind: 'passkey', assertion: endless } } })
  lab.approve(3)
  const payout = lab.payout()
  await payout.pass()
  await lab.anvil.mine(finality + 2)
  await payout.pass()
  assert.deepEqual([...lab.core.ended], [[3, true]])
  const rows = await lab.rows<{ state: string; trouble: string }>('select state, trouble from payouts where withdrawal < 3')
  assert.deepEqual(
    rows.map(({ state, trouble }) => `${state} ${trouble}`),
    ['taken BAD_REQUEST', 'taken BAD_REQUEST'],
  )
})

test('PAYOUT-OTHERS-004: ETH to a contract that takes much gas, or refuses it at the real price of gas, is not signed, and takes nobody’s place', async () => {
  await using lab = await EvmLab.open(server)
  // Counts down from 3,000.
  const burner = '0x00000000000000000000000000000000000000b1'
  await lab.anvil.client.setCode({ address: burner, bytecode: '0x610bb85b600190038060035700' })
  // Takes coins only where gas costs nothing, as in an estimate: GASPRICE, ISZERO, PUSH1 8, JUMPI, REVERT.
  const picky = '0x00000000000000000000000000000000000000b2'
  await lab.anvil.client.setCode({ address: picky, bytecode: '0x3a156008575f5ffd5b00' })
  for (const [withdrawal, to] of [burner, picky, recipient(3)].entries()) {
    const { contract: _, ...payment } = lab.payment(withdrawal + 1, { to })
    lab.core.approvals.set(withdrawal + 1, lab.signing.approve(payment))
  }
  const payout = lab.payout()
  await payout.pass()
  await lab.anvil.mine(finality + 2)
  await payout.pass()
  assert.deepEqual([...lab.core.ended], [[3, true]])
  const rows = await lab.rows<{ state: string; trouble: string }>('select state, trouble from payouts where withdrawal < 3 order by 1, 2')
  assert.deepEqual(rows, [
    { state: 'taken', trouble: 'FEE_TOO_HIGH' },
    { state: 'taken', trouble: 'WOULD_FAIL' },
  ])
})

test('PAYOUT-OTHERS-005: ETH is paid only while enough is left for the fees of others, and no token is signed for without its gas', async () => {
  await using lab = await EvmLab.open(server)
  const address = lab.signing.custody.from('evm') as `0x${string}`
  const ether = 10n ** 18n
  await lab.anvil.client.setBalance({ address, value: ether })
  const { contract: _, ...coin } = lab.payment(1, { value: ether - 10n ** 15n })
  lab.core.approvals.set(1, lab.signing.approve(coin))
  lab.approve(2)
  const payout = lab.payout({ times: { retryMs: 0 } })
  const states = async () =>
    (await lab.rows<{ state: string; trouble: string | null }>('select state, trouble from payouts order by withdrawal')).map(
      ({ state, trouble }) => `${state} ${trouble ?? ''}`,
    )
  await payout.pass()
  assert.deepEqual(await states(), ['taken HOT_EMPTY', 'signed '])
  await lab.anvil.mine(finality + 2)
  await lab.anvil.client.setBalance({ address, value: 1_000n })
  lab.approve(3)
  await payout.pass()
  await payout.pass()
  assert.deepEqual(await states(), ['taken HOT_EMPTY', 'done ', 'taken HOT_EMPTY'])
  await lab.anvil.client.setBalance({ address, value: 2n * ether })
  await payout.pass()
  assert.deepEqual(await states(), ['signed ', 'done ', 'signed '])
})
