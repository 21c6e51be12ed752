import { encodeCommand } from '../../../protocol/codec/command.ts'
import { Records } from '../../../protocol/codec/records.ts'
import type { Command } from '../../../protocol/command/index.ts'
import type { PresaleNumber, UserId } from '../../../protocol/ids.ts'
import type { PresaleTerms } from '../../../protocol/command/presale.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { given, start, type Told, type World } from '../../test/world.ts'

export const [usdt, token] = [1, 4] as const
/** One USDT and one token in units. */
export const whole = { usdt: 1_000_000, token: 1_000_000 } as const
export const hourMs = 3_600_000
export const dayMs = 24 * hourMs
export const beginsAt = start + hourMs
export const endsAt = beginsAt + 72 * hourMs

/** Terms with the defaults of the exchange: 100,000 tokens at 0.25 USDT, 1 % for a customer, 72 hours, 20 % free at the end, 30 days. */
export const presaleTerms = {
  ...{
    token,
    pay: usdt,
    price: { pay: whole.usdt / 4, per: whole.token },
    supply: 100_000 * whole.token,
    purchaseLimit: 1000 * whole.token,
  },
  ...{ subscriptionMin: 10 * whole.usdt, subscriptionMax: 50_000 * whole.usdt, softCap: 0, startsAt: beginsAt, endsAt },
  release: { atListingPpm: 200_000, kind: 'linear', lockDays: 30, steps: [] as readonly { day: number; ppm: number }[] },
  ...{ documentHash: 'ab'.repeat(32), detailsHash: 'cd'.repeat(32) },
}

/** A world with a token of six digits of which `presale-tokens` has a million, and verified users with 100,000 USDT each. */
export function presaleWorld(...names: readonly string[]): PresaleWorld {
  const world = given({})
  world.do({ type: 'asset.list', symbol: 'NEW', scale: 6 }).isAccepted()
  world.do({ type: 'funds.system', account: 'presale-tokens', asset: token, amount: 1_000_000 * whole.token }).isAccepted()
  const presale = new PresaleWorld(world)
  for (const name of names) presale.customer(name, '100000')
  return presale
}

/** Shorthands for the commands of presales. */
export class PresaleWorld {
  readonly world: World

  constructor(world: World) {
    this.world = world
  }

  do(command: object): Told {
    return this.world.do(command)
  }

  customer(name: string, funds: string): this {
    this.world.gives(name, 'USDT', funds)
    this.do({ type: 'user.certify', user: this.world.user(name), isCertified: true }).isAccepted()
    return this
  }

  set(changed: object = {}, presale = 1): Told {
    return this.do({ type: 'presale.set', presale, terms: { ...presaleTerms, ...changed } })
  }

  /** As many other verified users, each of whom subscribes this sum of whole USDT. The invariants are not checked between them. */
  fill(count: number, sumOf: (n: number) => number): void {
    const { exchange, atMs, log } = this.world
    const events = new Records()
    let user = exchange.userCount
    const run = (command: object): void => {
      const at = log.length
      encodeCommand(command as Command, { seq: exchange.seq + 1, at: atMs, keyId: 0 }, log)
      events.clear()
      exchange.execute(log.data, at, events)
    }
    for (let n = 0; n < count; n++) {
      run({ type: 'user.open', requestId: '', class: 'retail', referrer: 0 })
      user++
      run({ type: 'user.certify', user, isCertified: true })
      run({ type: 'funds.faucet', user, clientId: '', asset: usdt, amount: 100 * whole.usdt })
      run({ type: 'presale.subscribe', user, clientId: '', presale: 1, amount: sumOf(n) * whole.usdt })
    }
  }

  cancel(presale = 1): Told {
    return this.do({ type: 'presale.cancel', presale })
  }

  /** `amount`: in whole USDT. */
  subscribe(name: string, amount: number, more: object = {}): Told {
    const sum = Math.round(amount * whole.usdt)
    return this.do({ type: 'presale.subscribe', user: this.world.user(name), clientId: '', presale: 1, amount: sum, ...more })
  }

  at(ms: number): this {
    this.world.atMs = ms
    return this
  }

  /** Ticks at this time until nothing is due. Returns the commands. */
  ticks(ms: number): readonly Told[] {
    this.at(ms)
    const told: Told[] = []
    while (this.world.exchange.nextDueAtMs <= ms) told.push(this.world.tick().isAccepted())
    return told
  }

  /** Available and held units of one of the exchange's own accounts. */
  system(account: string, asset: number): readonly [number, number] {
    const found = this.world.exchange
      .accounts()
      .find((one) => 'system' in one.account && one.account.system === account && one.account.asset === asset)
    return [found?.available ?? 0, found?.held ?? 0]
  }

  /** Available and held units of a spot account. */
  units(name: string, asset: number): readonly [number, number] {
    const found = this.world.exchange
      .balances(this.world.user(name))
      .find(({ account }) => 'kind' in account && account.kind === 'spot' && account.asset === asset)
    return [found?.available ?? 0, found?.held ?? 0]
  }

  subscribed(name: string, presale = 1): number {
    return this.world.exchange.presale.subscribed(this.world.user(name) as UserId, presale as PresaleNumber)
  }

  /** All of the commands are refused, and change nothing. */
  allRefused(refusal: Refusal, ...commands: readonly (() => Told)[]): void {
    const before = this.world.exchange.dump()
    for (const command of commands) command().isRefused(refusal)
    const [now, was] = [this.world.exchange.dump(), before].map((dump) => new Float64Array(new Uint8Array(dump).buffer))
    // All but the number and the time of the last command.
    if (now!.length !== was!.length || now!.some((slot, i) => slot !== was![i] && i !== 2 && i !== 3))
      throw new Error('a refusal changed the state')
  }
}

/** Terms as `core/risk/presale.ts` takes them. */
export const asTerms = (changed: object = {}): PresaleTerms => ({ ...presaleTerms, ...changed }) as unknown as PresaleTerms
