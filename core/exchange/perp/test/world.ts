import assert from 'node:assert/strict'
import { parseUnits } from '../../../money/units.ts'
import type { PlacePerp } from '../../../protocol/command/perp.ts'
import type { MarketId, UserId } from '../../../protocol/ids.ts'
import type { PerpPosition } from '../../../protocol/port.ts'
import { given, terms } from '../../test/world.ts'
import type { Told, World } from '../../test/world.ts'

/** Market 3, a perpetual contract on BTC: tick 1 USDT, lot 0.001 BTC, one lot at one tick is 0.001 USDT. Its index is market 1. */
export const contract = 3 as MarketId
export const q = 1000

/** Terms of the perpetual contract in tests. */
export const perpTerms = {
  index: 1,
  leverageMax: 10,
  tiers: [
    { valueMax: 50_000_000_000, initialPpm: 100_000, maintenancePpm: 25_000 },
    { valueMax: 250_000_000_000, initialPpm: 125_000, maintenancePpm: 40_000 },
    { valueMax: 1_000_000_000_000, initialPpm: 200_000, maintenancePpm: 75_000 },
    { valueMax: 2 ** 46, initialPpm: 500_000, maintenancePpm: 200_000 },
  ],
  fundingHours: 8,
  fundingInterest: 100_000,
  fundingStretch: 500_000,
  fundingCap: 7_500_000,
  impactValue: 10_000_000_000,
  markClampPpm: 10_000,
  basisWindowMs: 30_000,
  liquidationFeePpm: 5000,
  liquidationStepPpm: 250_000,
  openInterestMax: 2 ** 50,
  userInterestPpm: 1_000_000,
  carryPpm: 200_000,
}

export const marketTerms = { ...terms, makerFeePpm: 200, takerFeePpm: 500, notionalMin: 5_000_000 }

/** Fields of a plain limit order, except user, market, side, price and lots. */
export const plainOrder = {
  clientId: '',
  position: 'both',
  orderType: 'limit',
  timeInForce: 'GTC',
  isPostOnly: false,
  isReduceOnly: false,
  isClosing: false,
  triggerBy: 'last',
  selfTrade: 'expire-taker',
}

export class PerpWorld {
  readonly world: World

  constructor(world: World) {
    this.world = world
  }

  get exchange(): World['exchange'] {
    return this.world.exchange
  }

  do(command: object): Told {
    return this.world.do(command)
  }

  id(name: string): UserId {
    return this.world.user(name)
  }

  /** A verified user with `amount` USDT in the Futures account. */
  trader(name: string, amount: string): this {
    const user = this.id(name)
    this.do({ type: 'user.certify', user, isCertified: true }).isAccepted()
    this.world.gives(name, 'USDT', amount)
    return this.moves(name, amount)
  }

  moves(name: string, amount: string, from = 'spot', to = 'perp'): this {
    this.transfer(name, amount, from, to).isAccepted()
    return this
  }

  transfer(name: string, amount: string, from = 'perp', to = 'spot'): Told {
    return this.do({ type: 'funds.transfer', user: this.id(name), clientId: '', asset: 1, from, to, amount: parseUnits(amount, 6) })
  }

  /** An index tick with a price in USDT, a quarter of a second after the last command. */
  index(price: number, sources = 5, isGood = true): Told {
    this.world.atMs += 250
    return this.do({ type: 'index.tick', prices: [{ market: 1, price: Math.round(price * 1e8), sources, isGood }] }).isAccepted()
  }

  passes(ms: number): this {
    this.world.atMs += ms
    return this
  }

  place(name: string, order: Partial<PlacePerp> | object): Told {
    return this.do({ type: 'perp.place', user: this.id(name), market: contract, side: 'buy', ...plainOrder, ...order })
  }

  buy(name: string, price: number, lots: number, more: object = {}): Told {
    return this.place(name, { side: 'buy', price, lots, ...more })
  }

  sell(name: string, price: number, lots: number, more: object = {}): Told {
    return this.place(name, { side: 'sell', price, lots, ...more })
  }

  market(name: string, side: 'buy' | 'sell', lots: number, more: object = {}): Told {
    return this.place(name, { side, orderType: 'market', timeInForce: 'IOC', lots, ...more })
  }

  /** Places a stop that closes the whole position by a market order. */
  closes(name: string, side: 'buy' | 'sell', price: number, direction: 'rises-to' | 'falls-to', more: object = {}): Told {
    const trigger = { kind: 'stop', price, direction }
    return this.place(name, { side, orderType: 'market', timeInForce: 'IOC', isClosing: true, trigger, ...more })
  }

  cancel(name: string, order: number): Told {
    return this.do({ type: 'perp.cancel', user: this.id(name), clientId: '', market: contract, order, orderClientId: '' })
  }

  amend(name: string, order: number, change: object): Told {
    return this.do({ type: 'perp.amend', user: this.id(name), clientId: '', market: contract, order, orderClientId: '', ...change })
  }

  leverage(name: string, leverage: number, market: number = contract): Told {
    return this.do({ type: 'perp.setLeverage', user: this.id(name), market, leverage })
  }

  mode(name: string, mode: 'cross' | 'isolated', market: number = contract): Told {
    return this.do({ type: 'perp.setMarginMode', user: this.id(name), market, mode })
  }

  hedge(name: string, isHedge: boolean): Told {
    return this.do({ type: 'perp.setHedgeMode', user: this.id(name), isHedge })
  }

  adjust(name: string, amount: string, position = 'both'): Told {
    const command = { type: 'perp.adjustMargin', user: this.id(name), clientId: '', market: contract, position }
    return this.do({ ...command, amount: parseUnits(amount, 6) })
  }

  reverse(name: string): Told {
    return this.do({ type: 'perp.reverse', user: this.id(name), clientId: '', market: contract })
  }

  tick(): Told {
    return this.world.tick()
  }

  /** Adds `amount` USDT to the insurance fund. */
  insures(amount: string): this {
    this.do({ type: 'funds.system', account: 'insurance', asset: 1, amount: parseUnits(amount, 6) }).isAccepted()
    return this
  }

  insurance(): number {
    return this.system('insurance')
  }

  system(name: string): number {
    const found = this.exchange.accounts().find(({ account }) => 'system' in account && account.system === name && account.asset === 1)
    return found === undefined ? 0 : found.available + found.held
  }

  /** Checks the available and held USDT of a Futures account. */
  has(name: string, available: string, held = '0'): this {
    const account = this.exchange.perpAccount(this.id(name))
    assert.deepEqual([account.available, account.held], [parseUnits(available, 6), parseUnits(held, 6)], name)
    return this
  }

  positions(name: string): readonly PerpPosition[] {
    return this.exchange.perpAccount(this.id(name)).positions
  }

  position(name: string): PerpPosition {
    const [position, ...others] = this.positions(name)
    assert.ok(position !== undefined && others.length === 0, `${name} has one position`)
    return position
  }

  /** Checks a position, as "lots@entry" with the entry price in ticks; empty: none. */
  holds(name: string, expected: string, market: number = contract): this {
    const found = this.positions(name).filter((position) => position.market === market)
    const text = found.map(({ lots, cost }) => `${lots}@${cost / (Math.abs(lots) * q)}`).join(' ')
    assert.equal(text, expected, name)
    return this
  }

  /** Checks the fund's inventory, as "lots@entry"; empty: none. */
  carries(expected: string, market: number = contract): this {
    const found = this.exchange.inventories().filter((one) => (one.market as number) === market)
    assert.equal(found.map(({ lots, cost }) => `${lots}@${cost / (Math.abs(lots) * q)}`).join(' '), expected, 'the fund')
    return this
  }

  mark(): number {
    return this.exchange.marks()[0]!.mark
  }

  /** Checks that replaying all commands gives the same hash, and that restoring a dump does. */
  isReplayable(): this {
    this.world.isReplayable()
    return this
  }
}

/** A world with these traders and their USDT; the index is 100. */
export function givenPerp(funds: Record<string, string>, perp: object = {}, market: object = {}): PerpWorld {
  const made = new PerpWorld(given())
  const terms = { ...marketTerms, ...market }
  const listed = { type: 'perp.list', symbol: 'BTCUSDTPERP', base: 2, quote: 1, tick: '1', lot: '0.001' }
  made.do({ ...listed, terms, perp: { ...perpTerms, ...perp } }).isAccepted()
  for (const [name, amount] of Object.entries(funds)) made.trader(name, amount)
  made.index(100)
  return made
}
