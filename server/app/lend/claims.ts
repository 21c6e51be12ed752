import { setTimeout as sleep } from 'node:timers/promises'
import type { Units } from '@candor/core/money/brand.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { ClaimView } from '@candor/core/protocol/port.ts'
import type { WireClaim } from '@candor/core/protocol/wire/margin.ts'
import { type ClaimTotals, claimTotals } from '../../store/query/lending.ts'
import type { Context } from '../../live/context.ts'
import { amountText } from '../../live/listing.ts'

const triesMax = 10
const pauseMs = 10

/**
 * A user's claims on lending pools and the interest that they earned. Interest has two sources: entries, from the tables, and
 * interest that no entry contains yet, from the core. Both must be of the same moment; if a payment comes in between, both are
 * read again.
 */
export async function claimsOf(context: Context, user: UserId): Promise<readonly WireClaim[]> {
  for (let tries = 1; ; tries++) {
    const views = await context.ask.claims(user)
    await context.freshness.settled(user)
    const totals = await claimTotals(context.pool, user)
    const lent = views.map((view) => {
      const asset = context.listing.asset(view.asset)
      return { view, asset, total: totals.get(asset.symbol) }
    })
    const taken = [...totals].flatMap(([symbol, total]) => {
      const asset = context.listing.assetNamed(symbol)
      return total.earned === '0' || views.some((view) => view.asset === asset.id) ? [] : [{ view: nothingOf(asset), asset, total }]
    })
    const claims = [...lent, ...taken]
    if (tries >= triesMax || claims.every(isOfOneMoment)) return claims.map(wireClaim)
    await sleep(pauseMs)
  }
}

/** The claim in one asset; an empty one if there is none. */
export async function claimOf(context: Context, user: UserId, asset: Asset): Promise<WireClaim> {
  const found = (await claimsOf(context, user)).find((claim) => claim.asset === asset.symbol)
  return found ?? wireClaim({ view: nothingOf(asset), asset, total: undefined })
}

function nothingOf({ id: asset }: Asset): ClaimView {
  const nothing = 0 as Units
  return { asset, claim: nothing, pending: nothing, queued: nothing, liquid: nothing, fresh: nothing, freshUntil: null }
}

type Claim = { readonly view: ClaimView; readonly asset: Asset; readonly total: ClaimTotals | undefined }

function isOfOneMoment({ view, asset, total }: Claim): boolean {
  return view.claim - view.pending === unitsOf(asset, total?.claim)
}

function wireClaim({ view, asset, total }: Claim): WireClaim {
  return {
    asset: asset.symbol,
    claim: amountText(asset, view.claim),
    earned: amountText(asset, (unitsOf(asset, total?.earned) + view.pending) as Units),
    queued: amountText(asset, view.queued),
    liquid: amountText(asset, view.liquid),
    fresh: amountText(asset, view.fresh),
    freshUntil: view.freshUntil,
  }
}

function unitsOf(asset: Asset, text: string | undefined): number {
  return parseUnits(text ?? '0', asset.scale) ?? 0
}
