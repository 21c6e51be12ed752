import { randomBytes, randomUUID } from 'node:crypto'
import { after, before } from 'node:test'
import type { Millis } from '@candor/core/money/brand.ts'
import type { Finding } from '@candor/core/protocol/wire/console/surveillance.ts'
import type { Store } from '../../store/open.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { type Day, spanOf } from '../days.ts'
import { type Limits, limits } from '../read/reads.ts'
import { Reports } from '../reports.ts'
import { SurveillanceDesk } from '../surveillance.ts'
import { surveillanceDb } from '../tables.ts'

export const day: Day = '2026-01-15'
export const span = spanOf(day)
const minute = 60_000

type Trade = {
  readonly buyer: number
  readonly seller: number
  /** Minutes since the beginning of the day. */
  readonly minute: number
  readonly price?: number
  readonly quantity?: number
  readonly market?: string
  readonly takerSide?: 'buy' | 'sell'
  readonly orders?: readonly [maker: number, taker: number]
}

type Order = {
  readonly user: number
  readonly side: 'buy' | 'sell'
  /** Milliseconds since the beginning of the day, and until its end. */
  readonly at: number
  readonly life: number
  readonly price?: number
  readonly quantity?: number
  readonly executed?: number
  readonly status?: 'cancelled' | 'filled' | 'open'
  readonly market?: string
  readonly prevented?: number
}

type Contract = {
  readonly user: number
  readonly minute: number
  readonly result: 'win' | 'lose' | 'tie' | null
  readonly minutes?: number
  readonly market?: string
}

/** A day of made rows, and its report. Users are numbers in the core; their UID is 100,000,000 more. */
export class MadeDay {
  readonly store: Store
  #tradeIds = 0
  #orderIds = 0
  /** The time of the reports: an hour after the day. */
  now: number = span.to + 60 * minute
  limits: Limits = limits

  constructor(store: Store) {
    this.store = store
  }

  async list(): Promise<void> {
    for (const [id, symbol] of [
      [1, 'BTCUSDT'],
      [2, 'ETHUSDT'],
    ])
      await this.run(`insert into markets (id, symbol, base, quote, definition) values ($1, $2, '', 'USDT', '{}')`, id, symbol)
    await this.run('update projection set seq = 77, at_ms = $1', span.to)
  }

  async run(text: string, ...values: readonly unknown[]): Promise<Record<string, any>[]> {
    return (await this.store.pool.query(text, [...values])).rows
  }

  async accounts(users: readonly number[], more: { readonly group?: string; readonly referrer?: number } = {}): Promise<void> {
    const { group = 'retail', referrer = 0 } = more
    for (const user of users)
      await this.run(
        `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at, referrer_user)
         values ($1, $2, $3, $4, '', 0, 'en', $2, $5, $6, $7)`,
        ...[randomUUID(), uid(user), user, `a${user}@example.com`, group, span.from - 1, referrer],
      )
  }

  async login(
    user: number,
    device: string,
    more: { readonly ip?: string; readonly at?: number; readonly seen?: number } = {},
  ): Promise<void> {
    const { ip = `198.51.100.${user}`, at = span.from + minute, seen = at } = more
    await this.run(
      `insert into sessions (id, account, token, token_since, device, device_key, ip, created_at, last_seen_at, logged_in_at)
       select $1, id, $2, 0, 'Browser', sha256($3::bytea), $4, $5, $6, $5 from accounts where core_user = $7`,
      ...[randomUUID(), randomBytes(32), Buffer.from(device), ip, at, seen, user],
    )
  }

  /** A firm with these accounts, and with members who joined at the beginning of the day. */
  async firm(accounts: readonly number[], members: readonly number[]): Promise<void> {
    const firm = randomUUID()
    // The accounts of this day are persons', so the triggers would refuse them as a firm's.
    await this.run(`begin; set local session_replication_role = replica;
      insert into firms (id, name, registration, country, applied_by, applied_at)
        select '${firm}', 'Acme', '${firm}', 'DE', id, 0 from accounts where core_user = ${members[0]};
      insert into firm_accounts (account, firm, kind, label, made_by, made_at, is_open)
        select id, '${firm}', case core_user when ${accounts[0]} then 'main' else 'sub' end, uid, id, ${span.from}, true
        from accounts where core_user in (${accounts.join()});
      insert into firm_members (id, firm, account, label, role, accounts, state, invited_at, joined_at)
        select gen_random_uuid(), '${firm}', id, uid, 'trader', null, 'active', 0, ${span.from}
        from accounts where core_user in (${members.join()});
      commit`)
  }

  async trades(...all: readonly Trade[]): Promise<void> {
    for (const one of all) {
      const { buyer, seller, price = 100, quantity = 1, market = 'BTCUSDT', takerSide = 'buy', orders = [1, 2] } = one
      const [maker, taker] = takerSide === 'buy' ? [seller, buyer] : [buyer, seller]
      this.#tradeIds += 1
      await this.run(
        `insert into trades (market, trade_id, seq, at_ms, price, quantity, quote, taker_side, maker_order, taker_order, maker_user, taker_user, maker_fee, taker_fee)
         values ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, 0)`,
        ...[market, this.#tradeIds, span.from + one.minute * minute, price, quantity, price * quantity, takerSide, orders[0], orders[1]],
        ...[maker, taker],
      )
    }
  }

  /** Returns the numbers of the orders. */
  async orders(...all: readonly Order[]): Promise<readonly number[]> {
    const ids: number[] = []
    for (const one of all) {
      const { user, side, at, life, price = 100, quantity = 1, executed = 0, status = executed > 0 ? 'filled' : 'cancelled' } = one
      const { market = 'BTCUSDT', prevented = null } = one
      this.#orderIds += 1
      ids.push(this.#orderIds)
      await this.run(
        `insert into orders (id, user_id, client_id, market, side, type, time_in_force, status, price, quantity, executed, executed_quote, post_only,
           placed_at_ms, updated_at_ms, prevented)
         values ($1, $2, '', $3, $4, 'limit', 'GTC', $5, $6, $7, $8, 0, false, $9, $10, $11)`,
        ...[this.#orderIds, user, market, side, status, price, quantity, executed, span.from + at, span.from + at + life, prevented],
      )
    }
    return ids
  }

  async contracts(...all: readonly Contract[]): Promise<void> {
    for (const { user, minute: begun, result, minutes = 1, market = 'BTCUSDT' } of all) {
      this.#orderIds += 1
      const accepted = span.from + begun * minute
      const payout = result === 'win' ? 18 : result === 'tie' ? 10 : 0
      await this.run(
        `insert into options (id, user_id, client_id, market, direction, stake, profit_ppm, profit, accepted_at_ms, strike_from_ms, expires_at_ms,
           window_ms, gap_max_ms, guard_ppm, reference, result, payout, settled_at_ms)
         values ($1, $2, '', $3, 'up', 10, 800000, 8, $4, $4, $5, 1, 1, 1, 100, $6, $7, $8)`,
        ...[this.#orderIds, user, market, accepted, accepted + minutes * minute, result],
        ...[result === null ? null : payout, result === null ? null : accepted + minutes * minute],
      )
    }
  }

  get reports(): Reports {
    return new Reports({ store: this.store, clock: () => this.now, limits: this.limits })
  }

  get desk(): SurveillanceDesk {
    const log = { write: async (): Promise<void> => undefined }
    return new SurveillanceDesk({ db: surveillanceDb(this.store), clock: () => this.now, log, reports: this.reports })
  }

  /** Makes the report and returns its findings, newest first. */
  async findings(): Promise<readonly Finding[]> {
    const made = await this.reports.make(day)
    if (made !== 'made') throw new Error(`the report was not made: ${made}`)
    return (await this.desk.page({})).findings
  }
}

/** Made days of one test file, each in a database of its own. */
export function madeDays(): () => Promise<MadeDay> {
  let server: ScratchServer
  before(async () => {
    server = await startScratchServer()
  })
  after(() => server[Symbol.asyncDispose]())
  return async () => {
    const made = new MadeDay(await server.store())
    await made.list()
    return made
  }
}

export const uid = (user: number): string => String(100_000_000 + user)
export const at = (minutes: number): Millis => (span.from + minutes * minute) as Millis

/** `spoofing 100000001 BTCUSDT` */
export const short = ({ kind, market, parties }: Finding): string => [kind, ...parties.map((one) => one.uid), market ?? ''].join(' ').trim()
