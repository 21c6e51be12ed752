import assert from 'node:assert/strict'
import type { Millis } from '@candor/core/money/brand.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import { ChainProjection } from '../../store/projection/chain.ts'
import { Known } from '../../store/projection/known.ts'
import type { ConsoleWorld } from './console-world.ts'

/** One USDT in units. */
export const whole = 1_000_000
const day = 86_400_000
export const tron = 2

/** Up to 100 USDT need nobody, up to 1,000 one person. */
export const usdtTerms = { isOpen: true, min: 10 * whole, fee: whole, autoMax: 100 * whole, singleMax: 1_000 * whole }

export type Customer = { readonly account: string; readonly uid: string; readonly user: number; readonly destination: number }

/** Withdrawals of customers by the real core, whose events are projected into the query tables. */
export class WithdrawalScene {
  readonly #world: ConsoleWorld
  readonly #known = new Known()
  readonly #projection = new ChainProjection(this.#known)
  #seen = 0
  #names = 0

  constructor(world: ConsoleWorld) {
    this.#world = world
    world.core.clock = world.clock
  }

  async do(command: object): Promise<number> {
    const { refusal, seq } = await this.#world.core.submit(command as Command)
    assert.equal(refusal, undefined, JSON.stringify(command))
    return seq
  }

  /** What the core did since is in the tables, as if the projector had run. */
  async project(): Promise<void> {
    const { core, papers } = this.#world
    for (const asset of core.exchange.listing().assets) this.#known.addAsset(asset)
    for (const { at, events } of core.told.slice(this.#seen)) for (const event of events) this.#projection.apply(event, at as Millis)
    this.#seen = core.told.length
    for (const statement of this.#projection.take())
      for (const values of statement?.batches ?? []) await papers.world.store.pool.query(statement!.text, [...values])
  }

  /** Numbers of the core's users above those that the world gives to accounts by itself. */
  async leaveRoom(): Promise<void> {
    for (let at = 0; at < 200; at++) await this.do({ type: 'user.open', requestId: `room${at}`, class: 'retail', referrer: 0 })
  }

  async setTerms(terms: object = usdtTerms): Promise<void> {
    await this.do({ type: 'withdraw.setTerms', asset: 1, network: tron, terms })
  }

  /**
   * A certified customer with 50,000 USDT and an address. `days`: age of the account and of the address, whose owner withdrew 400 USDT
   * to it before if `hasHistory`.
   */
  async customer({ days = 30, hasHistory = true, address = this.address33() } = {}): Promise<Customer> {
    const { account } = await this.#world.papers.customer()
    const name = `w${++this.#names}`
    const { user } = await this.#world.core.submit({
      type: 'user.open',
      requestId: name,
      class: 'retail',
      referrer: 0,
    } as unknown as Command)
    await this.do({ type: 'user.certify', user, isCertified: true })
    const credit = { type: 'chain.credit', user, network: tron, credit: user * 1_000, asset: 1, amount: 50_000 * whole, isFinal: true }
    await this.do(credit)
    const [row] = await this.#world.rows(
      `update accounts set core_user = $2, certification = 'certified', created_at = $3 where id = $1 returning uid`,
      ...[account, user, this.#world.clock() - days * day],
    )
    const customer = { account, uid: row!['uid'] as string, user, destination: await this.address(account, address, days) }
    if (hasHistory) await this.paid(customer, 400 * whole)
    await this.#world.rows(
      'update core_withdrawals set requested_at_ms = requested_at_ms - $2::bigint, ended_at_ms = ended_at_ms - $2 where user_id = $1',
      ...[user, 2 * day],
    )
    return customer
  }

  /** An address that nobody has. */
  address33(): string {
    return `T${String(++this.#names).padStart(8, 'A')}${'B'.repeat(17)}${String(this.#names).padStart(8, 'C')}`
  }

  /** An address on a customer's list. Returns its number. */
  async address(account: string, address: string, days = 30): Promise<number> {
    const at = this.#world.clock() - days * day
    const [row] = await this.#world.rows(
      `insert into withdrawal_addresses (id, account, network, address, label, owner, added_at, usable_at)
       values (gen_random_uuid(), $1, 'tron', $2, 'my wallet', 'own', $3, $3::bigint + 86400000) returning number`,
      ...[account, address, at],
    )
    return row!['number']
  }

  /** A request. Returns its number. */
  async request({ user, destination }: Pick<Customer, 'user' | 'destination'>, amount: number): Promise<number> {
    const clientId = `c${++this.#names}`
    return this.do({ type: 'withdraw.request', user, clientId, asset: 1, network: tron, amount, fee: whole, destination })
  }

  async paid(customer: Customer, amount: number, isPaid = true): Promise<void> {
    const withdrawal = await this.request(customer, amount)
    await this.do({ type: 'withdraw.decide', withdrawal, isApproved: true, first: 901, second: 902, reason: 'approved' })
    await this.do({ type: 'withdraw.finish', withdrawal, isPaid })
    await this.project()
  }

  /** A request that was looked at. */
  async reviewed(customer: Customer, amount: number): Promise<number> {
    const id = await this.request(customer, amount)
    await this.project()
    await this.#world.reviews.pass()
    await this.project()
    return id
  }

  async stateOf(id: number): Promise<string> {
    await this.project()
    const [row] = await this.#world.rows('select state from core_withdrawals where id = $1', id)
    return row!['state']
  }
}

let deposits = 0

/** A deposit of 25 USDT that was held. Returns its number. */
export async function heldDeposit(
  world: ConsoleWorld,
  account: string,
  more: { readonly state?: string; readonly why?: string } = {},
): Promise<number> {
  const n = ++deposits
  await world.rows(
    `insert into deposit_addresses (network, address, account, user_no, place, signature, made_at)
     values ('tron', $1, $2, $3, $3, decode(repeat('00', 64), 'hex'), 0) on conflict do nothing`,
    ...[`TDEPOSIT${n}`, account, n],
  )
  const [row] = await world.rows(
    `insert into deposits (network, txid, ordinal, asset, contract, sender, address, account, user_no, raw, block_number, block_hash, block_at, state, why, seen_at)
     select 'tron', $1, 0, case $4 when 'wrong-token' then null else 'USDT' end, 'TUSDT', 'TSENDER', address, account, user_no, 25000000, 7, 'h', 0, $4, $5, $3
     from deposit_addresses where account = $2 limit 1 returning id`,
    ...[`${n}`.padStart(64, '0'), account, world.clock(), more.state ?? 'held', more.why ?? 'one-node'],
  )
  return row!['id']
}
