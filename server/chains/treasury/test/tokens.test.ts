import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { checkToken, expectedOf, TokenGate } from '../../tokens/gate.ts'
import { EvmTreasuryLab } from './evm-lab.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

test('DEPOSIT-TOKEN-007: deposits of a refused token are held and its payouts wait, while it does what it may not; the treasury names it', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  await lab.customers(1)
  let now = 1_000
  const { network } = lab
  const gate = new TokenGate({
    ...{ network: 'ethereum', tokens: expectedOf(network), clock: () => now, log: () => undefined },
    check: (contract, expected) => checkToken(network, contract, { expected }),
  })
  const look = async (): Promise<void> => {
    now += 600_000
    await gate.turn()
  }
  lab.isTokenGood = (contract) => gate.isGood(contract)
  const treasury = lab.treasury({ stoppedTokens: () => gate.stopped })
  const rows = async (text: string) => (await lab.store.pool.query<Record<string, unknown>>(text)).rows
  const deposits = () => rows('select state, why from deposits order by id')
  const payouts = () => rows('select state, trouble from payouts')
  await lab.settle()
  await treasury.turn()

  // Nothing moves before somebody looked at the token.
  await lab.deposit(1, 5_000_000n)
  lab.approve(1, 2_000_000n)
  await lab.settle()
  assert.deepEqual(
    [await deposits(), await payouts()],
    [[{ state: 'confirming', why: null }], [{ state: 'taken', trouble: 'TOKEN_UNKNOWN' }]],
  )

  await lab.anvil.call(lab.contract, 'TestToken', 'setParams', [25n, 10n ** 18n])
  await lab.mine(1)
  await look()
  await lab.store.pool.query('update payouts set retry_at = 0')
  await lab.settle()
  await treasury.turn()
  assert.deepEqual([await deposits(), await payouts()], [[{ state: 'held', why: 'token' }], [{ state: 'taken', trouble: 'TOKEN_REFUSED' }]])
  const [found] = await lab.findings()
  assert.deepEqual([found!.kind, found!.holder, found!.stops], ['token-refused', lab.contract, false])

  await lab.anvil.call(lab.contract, 'TestToken', 'setParams', [0n, 0n])
  await lab.mine(1)
  await look()
  await lab.store.pool.query('update payouts set retry_at = 0')
  // As two members release it.
  await lab.store.pool.query('alter table deposits disable trigger deposits_released')
  await lab.store.pool.query("update deposits set state = 'confirming', released_at = 1")
  await lab.settle()
  await treasury.turn()
  await lab.settle()
  assert.deepEqual([await deposits(), await payouts()], [[{ state: 'final', why: null }], [{ state: 'done', trouble: null }]])
  await treasury.turn()
  assert.deepEqual(await lab.findings(), [])
})
