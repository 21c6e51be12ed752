import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { encodeFunctionData } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { anvil as chain } from 'viem/chains'
import { forwarderAddress } from '../evm/forwarder.ts'
import { artifactOf } from '../contracts/artifacts.ts'
import { evmReader } from '../evm/reader.ts'
import { NodeFault } from '../rpc/json-rpc.ts'
import { type Anvil, chainId, startAnvil } from './anvil.ts'
import { type DepositWorld, depositWorlds, token } from './world.ts'

type Hex = `0x${string}`

const payers = 160
const users = [1, 2, 3, 4]
const finality = 8
const seeds = [11, 12, 13]
const reorgsPerSeed = 18

const world = depositWorlds()
let anvil: Anvil
before(async () => void (anvil = await startAnvil({ finality, accounts: 1 + payers })))
after(() => anvil[Symbol.asyncDispose]())

/** Numbers by chance from a seed: whole, from 0 up to below `end`. */
function chance(seed: number): (end: number) => number {
  let state = seed
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * end)
  }
}

/** A deposit that may be in a block, at its number, or in none. Its transaction stays the same, whatever block it comes to. */
type Payment = { readonly raw: Hex; block: number | undefined }

/** Payments of many payers, in blocks that come and go. */
class Schedule {
  readonly #draw: (end: number) => number
  readonly #payments: Payment[]
  reorgs = 0

  constructor(payments: Payment[], draw: (end: number) => number) {
    this.#payments = payments
    this.#draw = draw
  }

  async mine(): Promise<void> {
    const waiting = this.#payments.filter(({ block }) => block === undefined)
    const chosen = waiting.slice(0, this.#draw(4))
    for (const { raw } of chosen) await anvil.client.sendRawTransaction({ serializedTransaction: raw })
    await anvil.mine()
    const head = Number(await anvil.client.getBlockNumber({ cacheTime: 0 }))
    for (const payment of chosen) payment.block = head
  }

  /** Another branch of the same length. Each payment of the old one is there, too, in any block, or it is not. */
  async reorganize(): Promise<void> {
    const depth = 1 + this.#draw(finality - 2)
    const head = Number(await anvil.client.getBlockNumber({ cacheTime: 0 }))
    const lost = this.#payments.filter(({ block }) => block !== undefined && block > head - depth)
    const kept: [Hex, number][] = []
    for (const payment of lost) {
      const offset = this.#draw(2) === 0 ? undefined : this.#draw(depth)
      payment.block = offset === undefined ? undefined : head - depth + 1 + offset
      if (offset !== undefined) kept.push([payment.raw, offset])
    }
    await anvil.reorg(depth, kept)
    this.reorgs++
  }
}

async function payments(usdt: Hex, addresses: readonly Hex[], draw: (end: number) => number, first: number): Promise<Payment[]> {
  const made: Payment[] = []
  for (let index = first; index < first + Math.floor(payers / seeds.length); index++) {
    const payer = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: index })
    // Some below the minimum of 1 USDT.
    const value = BigInt(100_000 + draw(5_000_000))
    await anvil.call(usdt, 'TestToken', 'issue', [payer.address, value])
    const data = encodeFunctionData({
      abi: artifactOf('TestToken').abi,
      functionName: 'transfer',
      args: [addresses[draw(addresses.length)], value],
    })
    const fees = { gas: 100_000n, maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 1n }
    const raw = await payer.signTransaction({ ...fees, chainId: chain.id, type: 'eip1559', nonce: 0, to: usdt, data })
    made.push({ raw, block: undefined })
  }
  await anvil.mine()
  return made
}

/** After everything is read: what is credited, waits or is too small is what the chain has. */
async function compare(made: DepositWorld, balanceOf: (user: number) => Promise<bigint>): Promise<void> {
  for (const user of users) {
    const [row] = await made.run<{ sum: string }>(
      `select coalesce(sum(raw), 0) as sum from deposits where user_no = $1 and state in ('confirming', 'small')`,
      user,
    )
    assert.equal(BigInt(made.core.balance(user)) + BigInt(row!.sum), await balanceOf(user), `user ${user}`)
  }
}

class Lost extends Error {}

for (const [place, seed] of seeds.entries())
  test(`DEPOSIT-ONCE-001: whatever blocks come and vanish, each transfer on the chain is credited once (seed ${seed})`, async (t) => {
    const draw = chance(seed)
    const usdt = await anvil.deploy('TestToken', [6])
    const factory = await anvil.deploy('ForwarderFactory', ['0x00000000000000000000000000000000000000c0'])
    const addresses = users.map((user) => forwarderAddress({ chainId, factory }, user))
    const all = await payments(usdt, addresses, draw, 1 + place * Math.floor(payers / seeds.length))
    await anvil.mine(finality)
    const schedule = new Schedule(all, draw)
    const reader = evmReader({ node: anvil.url, chainId })
    const from = Number(await anvil.client.getBlockNumber({ cacheTime: 0 })) + 1
    await using made = await world({ readers: [reader], tokens: [token(usdt)], from, rangeMax: 3, confirmations: 2 })
    for (const user of users) await made.customer(user, addresses[user - 1]!)
    const balanceOf = (user: number) => reader.balance(addresses[user - 1]!, usdt)
    const fail = (one: number) => () => {
      if (draw(one) === 0) throw new Lost('the command or its answer is lost')
    }
    made.core.before = fail(12)
    made.core.after = fail(12)
    // Two processes that know nothing of each other, each replaced now and then.
    const processes = [made.parts(), made.parts()]
    const work = async (): Promise<void> => {
      const parts = processes[draw(2)]!
      const doing = [() => parts.scanner.turn(), () => parts.crediting.turn(), () => parts.poster.turn()] as const
      await doing[draw(3)]!()
    }
    for (let step = 0; schedule.reorgs < reorgsPerSeed; step++) {
      const kind = draw(10)
      if (kind < 5) await schedule.mine()
      else if (kind < 6) await schedule.reorganize()
      else if (kind < 7) processes[draw(2)] = made.parts()
      // Both at once, and a fork in the middle of it.
      const busy = Promise.allSettled([work(), work(), work(), ...(draw(12) === 0 ? [schedule.reorganize()] : [])])
      for (const outcome of await busy)
        if (outcome.status === 'rejected' && !isExpected(outcome.reason)) throw new Error(`step ${step}`, { cause: outcome.reason })
      if (step % 10 === 9) {
        const [before, after] = [made.core.before, made.core.after]
        made.core.before = made.core.after = () => undefined
        await made.settle()
        await compare(made, balanceOf)
        Object.assign(made.core, { before, after })
      }
    }
    made.core.before = made.core.after = () => undefined
    for (let block = 0; block < finality + 2; block++) await schedule.mine()
    await made.settle()
    await anvil.mine(finality + 2)
    await made.settle()
    await compare(made, balanceOf)
    const states = new Map<string, number>()
    for (const { state } of await made.deposits()) states.set(state, (states.get(state) ?? 0) + 1)
    const orphans = made.core.carried.filter(({ type }) => type === 'chain.orphan').length
    t.diagnostic(`${schedule.reorgs} reorganizations, ${orphans} credits taken back, ${JSON.stringify([...states])}`)
    assert.ok([...states.keys()].every((state) => ['final', 'small', 'orphaned'].includes(state)))
    assert.ok(users.every((user) => made.core.unfinal(user) === 0))
    assert.ok(orphans > 0)
  })

/** Faults that a process survives: an answer was lost, or the node changed its branch between two questions. */
function isExpected(cause: unknown): boolean {
  return cause instanceof Lost || cause instanceof NodeFault
}
