import type { WireAmount, WireDepositAddress, WireDeposits } from '@candor/core/protocol/wire/chains.ts'
import type pg from 'pg'
import { z } from 'zod'
import type { Clock, Session } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { decodeCursor } from '../../store/query/page.ts'
import { AddressFault, KnownAddresses, type ShownAddress } from '../addresses/known.ts'
import type { ChainsConfig } from '../config.ts'
import { type DepositFilter, depositsOf } from './deposits.ts'
import { addressWaitMs } from './terms.ts'

export type DepositDeskOptions = {
  readonly pool: pg.Pool
  /** Undefined: deposits are not open. */
  readonly config: ChainsConfig | undefined
  /** Tells the process of chains that somebody waits for an address. */
  readonly poke: () => void
  /** What a customer owes for deposits that vanished. */
  readonly debtsOf: (user: number) => Promise<readonly WireAmount[]>
  readonly onFault: (cause: unknown) => void
  readonly clock?: Clock
  readonly waitMs?: number
}

type Customer = Pick<Session, 'account' | 'user' | 'uid'>

/** How often a waiting request looks for its address. */
const lookMs = 100
const faucetMs = 10_000
const sent = z.object({ txid: z.string().regex(/^[0-9a-zA-Z]{1,80}$/) })

/** What customers see of deposits. Addresses are issued by another process, which reaches the wallet service. */
export class DepositDesk {
  readonly #options: DepositDeskOptions
  readonly #known: KnownAddresses | undefined
  readonly #clock: Clock
  /** Requests that wait for an address, by network and account, so that many of one customer ask the database as one. */
  readonly #waiting = new Map<string, Promise<ShownAddress>>()

  constructor(options: DepositDeskOptions) {
    this.#options = options
    const { config, pool } = options
    this.#known = config && new KnownAddresses(pool, Uint8Array.from(Buffer.from(config.walletKey, 'hex')))
    this.#clock = options.clock ?? Date.now
  }

  /**
   * The customer's address on a network, issued with the first request.
   *
   * throws  Refused DEPOSITS_CLOSED, NETWORK_UNKNOWN, DEPOSIT_ADDRESS_LATER when it is not there yet, DEPOSIT_ADDRESS_WRONG when its row is
   *         not the wallet service's
   */
  async address(network: string, customer: Customer): Promise<WireDepositAddress> {
    const { config, onFault } = this.#options
    if (config === undefined) throw new Refused('DEPOSITS_CLOSED')
    if (!config.networks.some(({ name }) => name === network)) throw new Refused('NETWORK_UNKNOWN', { field: 'network' })
    try {
      const known = (await this.#known?.of(network, customer.account)) ?? (await this.#issued(network, customer.account))
      return { ...known, signature: Buffer.from(known.signature).toString('hex') }
    } catch (cause) {
      if (!(cause instanceof AddressFault)) throw cause
      onFault(cause)
      throw new Refused('DEPOSIT_ADDRESS_WRONG')
    }
  }

  /** A page of the customer's deposits, and what is owed. throws  Refused FIELD_INVALID for a cursor that no page gave */
  async list({ account, user }: Customer, filter: DepositFilter = {}): Promise<WireDeposits> {
    const { pool, config, debtsOf } = this.#options
    decodeCursor(filter.before, 1)
    if (config === undefined) return { items: [], debts: [] }
    const [page, debts] = await Promise.all([depositsOf(pool, config, account, filter), debtsOf(user)])
    return { ...page, debts }
  }

  /**
   * Sends test coins to the customer's address. Returns the number of the transaction.
   *
   * throws  Refused SANDBOX_ONLY without a faucet; as `address`; UNAVAILABLE when the faucet does not answer
   */
  async sendTest({ network, asset, amount }: TestCoins, customer: Customer): Promise<{ readonly txid: string }> {
    const { config, onFault } = this.#options
    if (config?.faucet === undefined) throw new Refused('SANDBOX_ONLY')
    const { address: to } = await this.address(network, customer)
    try {
      const answer = await fetch(new URL('send', `${config.faucet.replace(/\/$/, '')}/`), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ network, asset, to, amount }),
        signal: AbortSignal.timeout(faucetMs),
      })
      if (!answer.ok) throw new Error(`the faucet answered ${answer.status}`)
      return sent.parse(await answer.json())
    } catch (cause) {
      onFault(cause)
      throw new Refused('UNAVAILABLE')
    }
  }

  #issued(network: string, account: string): Promise<ShownAddress> {
    const key = `${network} ${account}`
    let waiting = this.#waiting.get(key)
    if (waiting === undefined) {
      waiting = this.#issue(network, account).finally(() => this.#waiting.delete(key))
      this.#waiting.set(key, waiting)
    }
    return waiting
  }

  async #issue(network: string, account: string): Promise<ShownAddress> {
    const { pool, poke, waitMs = addressWaitMs } = this.#options
    await pool.query('insert into deposit_address_requests (network, account, asked_at) values ($1, $2, $3) on conflict do nothing', [
      ...[network, account, this.#clock()],
    ])
    poke()
    for (const until = performance.now() + waitMs; performance.now() < until; ) {
      const known = await this.#known!.of(network, account)
      if (known !== undefined) return known
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
    throw new Refused('DEPOSIT_ADDRESS_LATER')
  }
}

export type TestCoins = { readonly network: string; readonly asset: string; readonly amount: string }
