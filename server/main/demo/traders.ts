import { randomUUID } from 'node:crypto'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Decimal, Ticks } from '@candor/core/money/brand.ts'
import { formatTicks } from '@candor/core/money/price.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { placeCommand as placePerp } from '../../app/perp/commands.ts'
import { placeCommand as placeSpot } from '../../app/spot/commands.ts'
import type { Link } from '../../engine/link.ts'
import { Listing, readAmount } from '../../live/listing.ts'
import { Refused } from '../../refused.ts'

const funds = [
  ['USDT', '20000'],
  ['BTC', '0.5'],
] as const
const spot = 'BTCUSDT'
const perp = 'BTCUSDTPERP'
/** Of the index, in percent: far enough away to rest. */
const restingPercent = 95

/** Customers of the demonstration who trade with each other, by the commands that the app sends. */
export class Traders {
  readonly #link: Link
  readonly #listing: Listing
  readonly #users: UserId[] = []

  private constructor(link: Link, listing: Listing) {
    this.#link = link
    this.#listing = listing
  }

  static async open(link: Link): Promise<Traders> {
    const listing = new Listing()
    await listing.load(link.ask)
    return new Traders(link, listing)
  }

  /** Gives a new customer practice funds and lends some of them to the pool. */
  async equip(user: UserId): Promise<void> {
    for (const [symbol, amount] of funds) {
      const asset = this.#listing.assetNamed(symbol)
      await this.#do({ type: 'funds.faucet', user, clientId: randomUUID(), asset: asset.id, amount: readAmount(asset, amount, 'amount') })
    }
    const usdt = this.#listing.assetNamed('USDT')
    const move = { type: 'funds.transfer', user, clientId: randomUUID(), asset: usdt.id, from: 'spot', to: 'perp' } as const
    await this.#do({ ...move, amount: readAmount(usdt, '5000', 'amount') })
    await this.#do({ type: 'lend.supply', user, clientId: randomUUID(), asset: usdt.id, amount: readAmount(usdt, '2000', 'amount') })
    this.#users.push(user)
  }

  /** Opens positions between each two of them, and an order of each that rests. Returns false while there is no price. */
  async trade(): Promise<boolean> {
    const { market } = this.#listing.marketOfKind('perp', perp)
    const mark = (await this.#link.ask.marks()).find((one) => one.market === market.id)?.mark ?? 0
    if (mark === 0) return this.#users.length < 2
    const at = (percent: number): Decimal => formatTicks(Math.round((mark * percent) / 100) as Ticks, market.tick)
    for (const [place, user] of this.#users.entries()) {
      const order = { clientId: randomUUID(), type: 'limit', quantity: '0.01' } as const
      const side = place % 2 === 0 ? 'buy' : 'sell'
      await this.#do(placePerp(this.#listing, user, { ...order, symbol: perp, side, price: at(100) }))
      const rests = { ...order, clientId: randomUUID(), symbol: spot, side: 'buy', price: at(restingPercent) } as const
      await this.#do(placeSpot(this.#listing, user, rests))
    }
    return true
  }

  async #do(command: Command): Promise<void> {
    const { refusal } = await this.#link.submit(command)
    if (refusal) throw new Refused(refusal)
  }
}
