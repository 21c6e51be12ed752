/** Payouts on an Ethereum node of the test's own: a token, the paying address with money, and what the token's logs say was paid. */
import { parseAbiItem } from 'viem'
import { addressOf } from '../../evm/build.ts'
import { JsonRpc } from '../../rpc/json-rpc.ts'
import { type Anvil, chainId, startAnvil } from '../../test/anvil.ts'
import type { PolicyJson } from '../../signer/test/custody.ts'
import { endingDigest, type Payment } from '../../signer/statement.ts'
import type { ScratchServer } from '../../../store/test/scratch.ts'
import type { Store } from '../../../store/open.ts'
import { EvmPayoutChain } from '../evm/chain.ts'
import { feeTerms, type FeeTerms } from '../fees.ts'
import type { PayoutOptions } from '../options.ts'
import { Payout } from '../payout.ts'
import { FaultyDoor, faults } from './faulty-door.ts'
import type { FuzzLab, Random } from './fuzz.ts'
import { FakeCore, Signing } from './people.ts'

const transferred = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
export const gwei = 1_000_000_000n
/** Blocks deeper than this are final. */
export const finality = 6

export class EvmLab implements FuzzLab, AsyncDisposable {
  readonly kind = 'evm'
  readonly finality = finality + 2
  readonly door: FaultyDoor
  readonly anvil: Anvil
  readonly contract: `0x${string}`
  readonly signing: Signing
  readonly store: Store
  readonly core = new FakeCore()
  readonly #from: `0x${string}`
  readonly #stack: AsyncDisposableStack

  private constructor(parts: Pick<EvmLab, 'anvil' | 'contract' | 'signing' | 'store' | 'door'>, stack: AsyncDisposableStack) {
    this.anvil = parts.anvil
    this.door = parts.door
    this.contract = parts.contract
    this.signing = parts.signing
    this.store = parts.store
    this.#from = addressOf(parts.signing.custody.from('evm'))
    this.#stack = stack
  }

  static async open(server: ScratchServer, change: (policy: PolicyJson) => unknown = () => undefined): Promise<EvmLab> {
    await using stack = new AsyncDisposableStack()
    const anvil = stack.use(await startAnvil({ finality }))
    const door = stack.use(await FaultyDoor.open(anvil.url))
    const contract = await anvil.deploy('TestToken', [6])
    const signing = stack.use(
      await Signing.start((policy) => {
        const [network] = policy.networks
        if (network === undefined) throw new Error('no network')
        Object.assign(network, { chainId, feeMax: `${10n ** 17n}`, feeDay: `${10n ** 20n}`, caps: { payment: 1e9, hour: 1e9, day: 1e9 } })
        network.tokens = [
          { asset: 'USDT', contract, decimals: 6, cents: 100 },
          { asset: 'ETH', decimals: 18, cents: 300_000 },
        ]
        change(policy)
      }),
    )
    const store = stack.use(await server.store())
    const from = addressOf(signing.custody.from('evm'))
    await anvil.client.setBalance({ address: from, value: 10n ** 21n })
    await anvil.call(contract, 'TestToken', 'issue', [from, 10n ** 15n])
    // No reorganization takes the token away again.
    await anvil.mine(finality + 2)
    return new EvmLab({ anvil, contract, signing, store, door }, stack.move())
  }

  payment(withdrawal: number, change: Partial<Payment> = {}): Payment {
    return {
      ...{ withdrawal, user: 7, clientId: `w${withdrawal}`, network: 'ethereum', chainId, contract: this.contract },
      // Each has an amount of its own, by which its transfers are counted.
      ...{ to: recipient(withdrawal), value: 1_000_000n + BigInt(withdrawal), ...change },
    }
  }

  approve(withdrawal: number, change: Partial<Payment> = {}): void {
    this.core.approvals.set(withdrawal, this.signing.approve(this.payment(withdrawal, change)))
  }

  /** What the engine signs once two members ended a withdrawal. */
  async signEnding(withdrawal: number, by = this.signing.custody.engine): Promise<void> {
    const { user, clientId } = this.payment(withdrawal)
    await this.store.pool.query(
      `insert into payout_endings (withdrawal, user_no, client_id, engine, signed_at) values ($1, $2, $3, $4, 0)
       on conflict (withdrawal) do update set engine = excluded.engine`,
      [withdrawal, user, clientId, by.sign(endingDigest({ withdrawal, user, clientId }))],
    )
  }

  chain(fees: Partial<FeeTerms> = {}, nodes: readonly string[] = [this.door.url]): EvmPayoutChain {
    return new EvmPayoutChain({
      ...{ nodes: nodes.map((url) => new JsonRpc(url)), chainId, from: this.#from },
      fees: { ...feeTerms, ...fees },
    })
  }

  /** Payouts as a process makes them at its start. */
  payout(change: Partial<PayoutOptions> = {}): Payout {
    const { pool } = this.store
    const { link: signer, signDead } = this.signing
    const { approved, finish } = this.core
    return new Payout({ pool, network: 'ethereum', chain: this.chain({ bumpMs: 100 }), signer, signDead, approved, finish, ...change })
  }

  async mine(blocks: number): Promise<void> {
    if (blocks > 0) await this.anvil.mine(blocks)
  }

  async reorg(depth: number): Promise<void> {
    await this.anvil.reorg(depth)
  }

  async disturb(random: Random): Promise<void> {
    const what = random.below(6)
    if (what < faults.length) return this.door.arm(faults[what]!)
    await this.anvil.client.setNextBlockBaseFeePerGas({ baseFeePerGas: gwei * BigInt(1 + random.below(20)) })
    await this.anvil.mine(1)
  }

  async calm(): Promise<void> {
    this.door.clear()
    await this.anvil.client.setNextBlockBaseFeePerGas({ baseFeePerGas: gwei })
    await this.anvil.mine(1)
  }

  /** Value → how often the paying address sent exactly it, by the token's logs. */
  async paid(): Promise<ReadonlyMap<bigint, number>> {
    const logs = await this.anvil.client.getLogs({ address: this.contract, event: transferred, args: { from: this.#from }, fromBlock: 0n })
    const counts = new Map<bigint, number>()
    for (const { args } of logs) counts.set(args.value ?? 0n, (counts.get(args.value ?? 0n) ?? 0) + 1)
    return counts
  }

  async rows<Row extends object>(text: string): Promise<readonly Row[]> {
    return (await this.store.pool.query<Row>(text)).rows
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync()
  }
}

export const recipient = (withdrawal: number): `0x${string}` => `0x${(0x1000000 + withdrawal).toString(16).padStart(40, '1')}`
