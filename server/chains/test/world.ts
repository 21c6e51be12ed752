import { randomUUID } from 'node:crypto'
import { after, before } from 'node:test'
import type { Units } from '@candor/core/money/brand.ts'
import type { AssetId, NetworkNumber } from '@candor/core/protocol/ids.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { Checks } from '../deposits/checks.ts'
import { Crediting } from '../deposits/crediting.ts'
import { Finder } from '../deposits/finder.ts'
import { Poster } from '../deposits/poster.ts'
import type { DepositRow } from '../deposits/tables.ts'
import type { DepositToken } from '../deposits/terms.ts'
import type { AuditedReader } from '../ports.ts'
import { Scanner } from '../scan/scanner.ts'
import { FakeCore } from './core.ts'

export const uid = (user: number): string => String(100_000_000 + user)
export const token = (contract: string, more: Partial<DepositToken> = {}): DepositToken => ({
  ...{ symbol: 'USDT', contract, asset: 1 as AssetId, scale: 6, unit: 1n, min: 1_000_000 as Units },
  ...more,
})

export type WorldOptions = {
  readonly readers: readonly AuditedReader[]
  readonly tokens: readonly DepositToken[]
  readonly network?: string
  readonly gas?: string
  readonly confirmations?: number
  readonly from?: number
  readonly rangeMax?: number
  readonly screen?: (deposit: DepositRow) => Promise<string | undefined>
  /** The core's number of a network; default 1. */
  readonly networkOf?: (network: string) => NetworkNumber
  readonly isAddressGood?: (deposit: DepositRow) => Promise<boolean>
}

/** A database for each world of a test file. */
export function depositWorlds(): (options: WorldOptions) => Promise<DepositWorld> {
  let server: ScratchServer
  before(async () => void (server = await startScratchServer()))
  after(() => server[Symbol.asyncDispose]())
  return async (options) => new DepositWorld(await server.store(), options)
}

type Store = Awaited<ReturnType<ScratchServer['store']>>

/** A deposit machine over a real database. */
export class DepositWorld implements AsyncDisposable {
  readonly store: Store
  readonly core = new FakeCore()
  readonly log: string[] = []
  readonly #options: WorldOptions
  readonly network: string
  now = 1_000_000

  constructor(store: Store, options: WorldOptions) {
    this.store = store
    this.#options = options
    this.network = options.network ?? 'ethereum'
  }

  /** A customer with an address. */
  async customer(user: number, address: string): Promise<string> {
    const account = randomUUID()
    await this.run(
      `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
       values ($1, $2, $3, $4, '', 0, 'en', $2, 'retail', 0) on conflict do nothing`,
      ...[account, uid(user), user, `a${user}@example.com`],
    )
    await this.run(
      `insert into deposit_addresses (network, address, account, user_no, place, signature, made_at)
       select $1, $2, id, $3, $3, decode(repeat('00', 64), 'hex'), 0 from accounts where core_user = $3`,
      ...[this.network, address, user],
    )
    return account
  }

  /** The parts as a process makes them at its start. */
  parts() {
    const {
      readers,
      tokens,
      gas = '',
      confirmations = 3,
      from = 1,
      rangeMax,
      screen,
      isAddressGood,
      networkOf = () => 1 as NetworkNumber,
    } = this.#options
    const { network, core } = this
    const { pool } = this.store
    const byContract = new Map(tokens.map((one) => [one.contract, one]))
    const clock = () => this.now++
    const log = ({ message }: { message: string }): void => void this.log.push(message)
    const sink = new Finder({ pool, network, gas, tokens: byContract, clock })
    const scanner = new Scanner({ network, readers, pool, sink, log, from, ...(rangeMax === undefined ? {} : { rangeMax }) })
    const checks = new Checks({
      nodes: () => ({ reader: scanner.reader, other: scanner.other }),
      isAddressGood: isAddressGood ?? (async () => true),
      screen: screen ?? (async () => undefined),
      isTokenGood: () => true,
    })
    const crediting = new Crediting({ pool, network, confirmations, tokens: byContract, checks, clock, log })
    const poster = new Poster({ pool, submit: core.submit, networkOf, assetOf: () => 1 as AssetId, clock, log })
    return { scanner, crediting, poster }
  }

  /** Reads, credits and posts until nothing is left to do. */
  async settle(parts = this.parts()): Promise<void> {
    let hasMore = true
    while (hasMore) {
      hasMore = await parts.scanner.turn()
      await parts.crediting.turn()
      await parts.poster.turn()
    }
  }

  async run<Row extends object>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.store.pool.query<Row>(text, [...values])).rows
  }

  deposits(): Promise<readonly DepositRow[]> {
    return this.run<DepositRow>('select * from deposits order by id')
  }

  async [Symbol.asyncDispose]() {
    await this.store[Symbol.asyncDispose]()
  }
}
