import type { Millis, Ticks } from '../money/brand.ts'
import type { Event, Traded } from '../protocol/event/index.ts'
import type { AssetId, MarketId } from '../protocol/ids.ts'
import type { Asset, FeeTier, ListingView, Market } from '../protocol/market.ts'
import { eachCommand } from './commands.ts'
import { MarketView } from './market-view.ts'
import { type SiteVolume, valueOf, VolumeCounter } from './volume.ts'

/** Kinds of data of a market that changed since the last call of `takeChanges`. */
export type MarketChanges = { hasTraded: boolean; hasDepth: boolean; hasIndex: boolean }

/** The public data of the whole exchange, updated by the events of durable batches. */
export class PublicView {
  readonly #assets = new Map<AssetId, Asset>()
  readonly #markets = new Map<MarketId, MarketView>()
  /** By spot market: the perpetual contracts that follow its index. */
  readonly #contractsOn = new Map<MarketId, readonly MarketView[]>()
  readonly #volume = new VolumeCounter()
  readonly #reference: string
  readonly #depth: number
  #referenceId: AssetId | undefined
  #fees: readonly FeeTier[] = []
  #perpFees: readonly FeeTier[] = []
  #at = 0 as Millis
  #changes = new Map<MarketId, MarketChanges>()

  /** reference: symbol of the asset that site volumes are counted in. depth: candles and trades kept per market. */
  constructor(reference = 'USDT', depth = 1000) {
    this.#reference = reference
    this.#depth = depth
  }

  /** Time of the newest command. */
  get at(): Millis {
    return this.#at
  }

  /** Starts from the core's listing; histories and books are then restored into the markets. */
  list({ assets, markets, fees, perpFees }: ListingView): void {
    for (const asset of assets) this.#setAsset(asset)
    for (const market of markets) this.#setMarket(market)
    this.#fees = fees
    this.#perpFees = perpFees
  }

  listing(): ListingView {
    const markets = [...this.#markets.values()].map(({ market }) => market)
    return { assets: [...this.#assets.values()], markets, fees: this.#fees, perpFees: this.#perpFees }
  }

  market(id: MarketId): MarketView | undefined {
    return this.#markets.get(id)
  }

  markets(): IterableIterator<MarketView> {
    return this.#markets.values()
  }

  /** Adds volume of the past, in reference units, oldest first. */
  restoreVolume(at: Millis, units: bigint): void {
    this.#volume.add(at, units)
  }

  volume(at: Millis): SiteVolume {
    return this.#volume.read(at)
  }

  /** Takes the events of whole commands, in order. */
  apply(events: readonly Event[]): void {
    eachCommand(events, (own, outcome) => {
      this.#at = outcome.at
      for (const event of own) this.#applyOne(event)
    })
  }

  /** Changes since the last call, by market. */
  takeChanges(): ReadonlyMap<MarketId, Readonly<MarketChanges>> {
    const changes = this.#changes
    this.#changes = new Map()
    return changes
  }

  #applyOne(event: Event): void {
    switch (event.type) {
      case 'asset.listed':
        this.#setAsset(event.asset)
        return
      case 'market.listed':
      case 'market.changed':
        this.#setMarket(event.market)
        return
      case 'fees.changed':
        this.#fees = event.tiers
        this.#perpFees = event.perpTiers
        return
      case 'index.ticked': {
        const { price, sources, isGood } = event
        this.#known(event.market).setIndex({ price, sources, isGood, at: this.#at })
        this.#changed(event.market).hasIndex = true
        for (const view of this.#contractsOn.get(event.market) ?? []) {
          view.setIndex({ price, sources, isGood, at: this.#at })
          this.#changed(view.market.id).hasIndex = true
        }
        return
      }
      case 'book.level':
        if (this.#known(event.market).level(event) !== 'old') this.#changed(event.market).hasDepth = true
        return
      case 'traded':
        if (!this.#known(event.market).trade(event, this.#at)) return
        this.#changed(event.market).hasTraded = true
        if (event.makerUser !== event.takerUser && !event.isHouse) this.#volume.add(this.#at, BigInt(this.#valueOf(event)))
        return
      default:
    }
  }

  #setAsset(asset: Asset): void {
    this.#assets.set(asset.id, asset)
    if (asset.symbol === this.#reference) this.#referenceId = asset.id
  }

  #setMarket(market: Market): void {
    const known = this.#markets.get(market.id)
    if (known !== undefined) {
      known.market = market
      return
    }
    const view = new MarketView(market, this.#depth)
    this.#markets.set(market.id, view)
    if (market.perp === undefined) return
    const { index } = market.perp
    this.#contractsOn.set(index, [...(this.#contractsOn.get(index) ?? []), view])
  }

  #known(id: MarketId): MarketView {
    const view = this.#markets.get(id)
    if (view === undefined) throw new Error(`market ${id} is not listed`)
    return view
  }

  #changed(id: MarketId): MarketChanges {
    let changes = this.#changes.get(id)
    if (changes === undefined) {
      changes = { hasTraded: false, hasDepth: false, hasIndex: false }
      this.#changes.set(id, changes)
    }
    return changes
  }

  #valueOf({ quote, market }: Traded): number {
    const reference = this.#referenceId
    if (reference === undefined) return 0
    const asset = this.#known(market).market.quote
    return valueOf(quote, asset, reference, this.#bridge(asset, reference))
  }

  #bridge(asset: AssetId, reference: AssetId): { market: Market; price: Ticks } | undefined {
    if (asset === reference) return undefined
    for (const view of this.#markets.values()) {
      if (view.market.base !== asset || view.market.quote !== reference) continue
      const last = view.ticker(this.#at)?.last
      if (last !== undefined) return { market: view.market, price: last }
    }
    return undefined
  }
}
