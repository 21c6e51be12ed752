/** Payouts on a TRON node in a process of its own, with its faults and forks, and a signer whose clock follows the chain. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Store } from '../../../store/open.ts'
import type { ScratchServer } from '../../../store/test/scratch.ts'
import { artifactOf } from '../../contracts/artifacts.ts'
import { type Custody, kill } from '../../signer/test/custody.ts'
import type { Payment } from '../../signer/statement.ts'
import { fromBase58, toBase58 } from '../../tron/address.ts'
import type { PayoutOptions } from '../options.ts'
import { Payout } from '../payout.ts'
import { TronPayoutChain } from '../tron/chain.ts'
import { TronNode } from '../tron/node.ts'
import type { FuzzLab, Random } from './fuzz.ts'
import { FakeCore, Signing } from './people.ts'

type Json = { readonly [name: string]: unknown }
type Unsigned = { readonly txID: string; readonly contract_address?: string; readonly transaction?: { readonly txID: string } }

export const blockMs = 3_000
/** Blocks that make an earlier one solid. */
export const solidAfter = 20
const lifeMs = 60_000
/** Blocks after which a transaction that is in none of them is dead, by a solid block. */
const deadAfter = (lifeMs + 130_000) / blockMs + solidAfter + 2
const faults = ['drop-answer', 'lose', 'peers', 'busy', 'duplicate', 'rate-limit', 'unavailable', 'garbage'] as const
const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const hex20 = (address: string): string => Buffer.from(fromBase58(address).subarray(1)).toString('hex')
const word = (hex: string): string => hex.padStart(64, '0')

/** The node's process. */
class Trond implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly url: string
  readonly solidUrl: string
  readonly chainId: number
  readonly #root: { readonly address: string; readonly key: string }

  private constructor(child: ChildProcess, said: string) {
    this.#child = child
    const { url, solidUrl, chainId, root } = JSON.parse(said)
    ;[this.url, this.solidUrl, this.chainId, this.#root] = [url, solidUrl, chainId, root]
  }

  static async start(): Promise<Trond> {
    const main = join(import.meta.dirname, '../../../../simulator/trond/main.ts')
    const child = spawn(process.execPath, [main, '--block-ms=0'], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string]
    return new Trond(child, line)
  }

  /** The account with all coins. */
  get root(): string {
    return this.#root.address
  }

  async post<T = Json>(path: string, body: Json = {}, base = this.url): Promise<T> {
    const answer = await fetch(`${base}${path}`, { method: 'POST', body: JSON.stringify(body) })
    return (await answer.json()) as T
  }

  /** Signs a transaction that the node built for the account with all coins, sends it, and makes blocks. */
  async asRoot(path: string, body: Json, blocks = 1): Promise<Unsigned> {
    const made = await this.post<Unsigned>(path, { owner_address: this.#root.address, visible: true, ...body })
    const transaction = made.transaction ?? made
    const signed = secp256k1.sign(Buffer.from(transaction.txID, 'hex'), Buffer.from(this.#root.key, 'hex'), {
      ...{ prehash: false, format: 'recovered' },
    })
    const signature = Buffer.concat([signed.subarray(1), signed.subarray(0, 1)]).toString('hex')
    const sent = await this.post('/wallet/broadcasttransaction', { ...transaction, visible: true, signature: [signature] })
    assert.equal(sent['result'], true, JSON.stringify(sent))
    if (blocks > 0) await this.post('/control/mine', { blocks })
    return made
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await kill(this.#child)
  }
}

type Parts = {
  readonly trond: Trond
  readonly contract: string
  readonly signing: Signing
  readonly store: Store
  readonly clock: ChainClock
}

export class TronLab implements FuzzLab, AsyncDisposable {
  readonly kind = 'tron'
  readonly finality = solidAfter + 2
  readonly trond: Trond
  readonly contract: string
  readonly signing: Signing
  readonly store: Store
  readonly core = new FakeCore()
  readonly #clock: ChainClock
  readonly #from: string
  readonly #stack: AsyncDisposableStack

  private constructor({ trond, contract, signing, store, clock }: Parts, stack: AsyncDisposableStack) {
    this.trond = trond
    this.contract = contract
    this.signing = signing
    this.store = store
    this.#clock = clock
    this.#from = signing.custody.from('tron')
    this.#stack = stack
  }

  static async open(server: ScratchServer): Promise<TronLab> {
    await using stack = new AsyncDisposableStack()
    const trond = stack.use(await Trond.start())
    const { abi, bytecode } = artifactOf('TestTokenFalse')
    const parameter = word('6')
    const made = await trond.asRoot('/wallet/deploycontract', { abi, bytecode, parameter, fee_limit: 1_000_000_000, name: 'TestToken' })
    const contract = toBase58(Buffer.from(String(made.contract_address), 'hex'))
    const clock = new ChainClock(trond)
    const signing = stack.use(
      await Signing.start(
        (policy) => {
          const network = policy.networks[1]
          if (network === undefined) throw new Error('no network')
          Object.assign(network, { chainId: trond.chainId, feeMax: '100000000', feeDay: '10000000000000' })
          network.caps = { payment: 1e9, hour: 1e9, day: 1e9 }
          network.tokens = [
            { asset: 'USDT', contract, decimals: 6, cents: 100 },
            { asset: 'TRX', decimals: 6, cents: 30 },
          ]
        },
        { start: (custody) => clock.startSigner(custody), clock: clock.now },
      ),
    )
    const from = signing.custody.from('tron')
    await trond.asRoot('/wallet/createtransaction', { to_address: from, amount: 100_000_000_000 })
    await trond.asRoot('/wallet/triggersmartcontract', {
      ...{ contract_address: contract, function_selector: 'issue(address,uint256)', fee_limit: 100_000_000 },
      parameter: word(hex20(from)) + word((10n ** 15n).toString(16)),
    })
    const lab = new TronLab({ trond, contract, signing, store: stack.use(await server.store()), clock }, stack.move())
    await lab.mine(solidAfter + 2)
    return lab
  }

  readonly now = (): number => this.#clock.now()

  payment(withdrawal: number, change: Partial<Payment> = {}): Payment {
    return {
      ...{ withdrawal, user: 7, clientId: `w${withdrawal}`, network: 'tron', chainId: this.trond.chainId, contract: this.contract },
      ...{ to: recipient(withdrawal), value: 1_000_000n + BigInt(withdrawal), ...change },
    }
  }

  approve(withdrawal: number, change: Partial<Payment> = {}): void {
    this.core.approvals.set(withdrawal, this.signing.approve(this.payment(withdrawal, change)))
  }

  /** The same of the native coin. */
  approveCoin(withdrawal: number, change: Partial<Payment> = {}): void {
    const { contract: _, ...payment } = this.payment(withdrawal, change)
    this.core.approvals.set(withdrawal, this.signing.approve(payment))
  }

  chain(): TronPayoutChain {
    const { trond } = this
    const nodes = [new TronNode(trond, trond.chainId)]
    return new TronPayoutChain({ nodes, from: this.#from, feeLimitMax: 100_000_000n, lifeMs, clock: this.now })
  }

  payout(change: Partial<PayoutOptions> = {}): Payout {
    const { pool } = this.store
    const { link: signer, signDead } = this.signing
    const { approved, finish } = this.core
    return new Payout({ pool, network: 'tron', chain: this.chain(), signer, signDead, approved, finish, clock: this.now, ...change })
  }

  async mine(blocks: number, isEmpty = false): Promise<void> {
    if (blocks > 0) await this.trond.post('/control/mine', { blocks, isEmpty })
    await this.#clock.follow()
  }

  /** A fork that takes blocks back and drops their transactions. */
  async reorg(depth: number): Promise<void> {
    await this.trond.post('/control/fork', { depth, keep: 'none', blocks: depth + 1 })
    await this.#clock.follow()
  }

  async arm(kind: (typeof faults)[number], count = 1): Promise<void> {
    await this.trond.post('/control/fault', { kind, count, path: '/wallet/broadcast' })
  }

  async disturb(random: Random): Promise<void> {
    if (random.below(12) === 0) {
      // Lost by its node and without room for so long that its time is over, and that it is dead.
      await this.trond.post('/control/mine', { blocks: deadAfter, isEmpty: true })
      return this.mine(0)
    }
    await this.arm(faults[random.below(faults.length)]!, 1 + random.below(3))
  }

  async calm(): Promise<void> {
    await this.trond.post('/control/clear')
  }

  /** Value → how often the paying address sent exactly it, by the token's logs in all blocks. */
  async paid(): Promise<ReadonlyMap<bigint, number>> {
    const counts = new Map<bigint, number>()
    const payer = word(hex20(this.#from))
    const { number } = (await this.trond.post<{ block_header: { raw_data: { number: number } } }>('/wallet/getnowblock')).block_header
      .raw_data
    for (let num = 1; num <= number; num++) {
      const infos = await this.trond.post<{ log?: { topics: string[]; data: string }[] }[]>('/wallet/gettransactioninfobyblocknum', { num })
      for (const { topics, data } of infos.flatMap(({ log = [] }) => log)) {
        if (topics[0] !== transferTopic || topics[1] !== payer) continue
        const value = BigInt(`0x${data}`)
        counts.set(value, (counts.get(value) ?? 0) + 1)
      }
    }
    return counts
  }

  async rows<Row extends object>(text: string): Promise<readonly Row[]> {
    return (await this.store.pool.query<Row>(text)).rows
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync()
  }
}

/** The time of the newest block, as payouts and the signer's process see it. */
class ChainClock {
  readonly #trond: Trond
  #offset = 0
  #file: string | undefined

  constructor(trond: Trond) {
    this.#trond = trond
  }

  readonly now = (): number => Date.now() + this.#offset

  async follow(): Promise<void> {
    const { block_header } = await this.#trond.post<{ block_header: { raw_data: { timestamp: number } } }>('/wallet/getnowblock')
    this.#offset = Math.max(this.#offset, block_header.raw_data.timestamp - Date.now())
    this.#write()
  }

  async startSigner(custody: Custody): Promise<ChildProcess> {
    this.#file = join(custody.run, 'clock')
    this.#write()
    const child = spawn(process.execPath, [join(import.meta.dirname, 'moved-signer.ts'), custody.folder, custody.door, this.#file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout!, 'data')
    return child
  }

  #write(): void {
    if (this.#file === undefined) return
    // Renamed, so that the other process never reads half of it.
    writeFileSync(`${this.#file}.new`, String(this.#offset))
    renameSync(`${this.#file}.new`, this.#file)
  }
}

export const recipient = (withdrawal: number): string =>
  toBase58(Buffer.from(`41${(0x1000000 + withdrawal).toString(16).padStart(40, '1')}`, 'hex'))
