import { fractionDigits, formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { Ppm, Units } from '@candor/core/money/brand.ts'
import type { OpenOption } from '@candor/core/protocol/command/option.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import type { WireOpenOption, WireOption, WireOptionMe, WireOptionOpened, WireOptionTerms } from '@candor/core/protocol/wire/option.ts'
import { windowMsOf } from '@candor/core/proof/second.ts'
import { breakEvenPermille } from '@candor/core/risk/option.ts'
import { Refused } from '../../refused.ts'
import { optionById, optionTotals } from '../../store/query/option.ts'
import type { Context } from '../../live/context.ts'
import { amountText, readAmount } from '../../live/listing.ts'
import { wireOption } from '../../live/options.ts'

/** Digits of a percentage in whole ppm. */
const percentDigits = 4
const guardPpmMax = 1_000_000

/** The asset in which stakes are paid. */
export function payingAsset(context: Context): Asset {
  return context.listing.assetNamed('USDT')
}

export async function answerTerms(context: Context): Promise<WireOptionTerms> {
  const { terms, isOpen, markets } = await context.ask.optionTerms()
  const amount = (units: number): string => amountText(payingAsset(context), units as Units)
  const rates = (terms?.rates ?? []).map(({ seconds, profitPpm }) => ({
    seconds,
    profit: formatUnits(profitPpm, percentDigits),
    breakEven: formatUnits(breakEvenPermille(profitPpm), 1),
    windowMs: windowMsOf(seconds, terms!.windowPpm, terms!.windowMaxMs),
  }))
  return {
    isOpen,
    rates,
    stakeMin: amount(terms?.stakeMin ?? 0),
    stakeMax: amount(terms?.stakeMax ?? 0),
    openMax: amount(terms?.openMax ?? 0),
    sideMax: amount(terms?.sideMax ?? 0),
    groupPercent: formatUnits(terms?.groupPpm ?? 0, percentDigits),
    guardVoidsFree: terms?.guardVoidsFree ?? 0,
    guardVoidsPercent: formatUnits(terms?.guardVoidsPpm ?? 0, percentDigits),
    strikeDelayMs: terms?.strikeDelayMs ?? 0,
    gapMaxMs: terms?.gapMaxMs ?? 0,
    fee: '0',
    markets: markets.map(({ market, isPaused }) => ({ symbol: context.listing.market(market).market.symbol, isPaused })),
  }
}

export async function answerMe(context: Context, user: UserId): Promise<WireOptionMe> {
  const standing = await context.ask.optionMe(user)
  await context.freshness.settled(user)
  const totals = await optionTotals(context.pool, user)
  const amount = (units: number): string => amountText(payingAsset(context), units as Units)
  const limit = (units: number): string | null => (units === 0 ? null : amount(units))
  const isWaiting = standing.nextAt !== 0
  return {
    isAdmitted: standing.isAdmitted,
    isGuardSpent: standing.isGuardSpent,
    isOpenInRegion: standing.isOpenInRegion,
    left: standing.left.map(({ market, up, down }) => ({
      symbol: context.listing.market(market).market.symbol,
      up: amount(up),
      down: amount(down),
    })),
    openStakes: amount(standing.openStakes),
    lossToday: amount(Math.max(0, standing.loss)),
    lossMax: limit(standing.lossMax),
    nextLossMax: isWaiting ? limit(standing.nextLossMax) : null,
    nextAt: isWaiting ? standing.nextAt : null,
    coolOffUntil: standing.coolOffUntil === 0 ? null : standing.coolOffUntil,
    ...totals,
  }
}

/** throws  Refused with the wrong field */
export function openCommand(context: Context, user: UserId, body: WireOpenOption): OpenOption {
  return {
    type: 'option.open',
    user,
    clientId: body.clientId,
    market: context.listing.marketNamed(body.symbol).market.id,
    direction: body.direction,
    stake: readAmount(payingAsset(context), body.stake, 'stake'),
    seconds: body.seconds,
    guardPpm: body.guard === undefined ? (0 as Ppm) : readGuard(body.guard),
  }
}

/** Percent as ppm. Zero is refused: a customer would expect it to void every order, but to the core it means any distance. */
function readGuard(percent: string): Ppm {
  if (fractionDigits(percent) > percentDigits) throw new Refused('TOO_MANY_DIGITS', { field: 'guard' })
  const ppm = parseUnits(percent, percentDigits)
  if (ppm === undefined || ppm <= 0 || ppm > guardPpmMax) throw new Refused('FIELD_INVALID', { field: 'guard' })
  return ppm as number as Ppm
}

/** The order that a command opened; for a repeat, the order in its current state. */
export async function answerOpened(context: Context, user: UserId, outcome: Outcome): Promise<WireOptionOpened> {
  const opened = outcome.events.find((event) => event.type === 'option.opened')
  if (opened?.type === 'option.opened') return { order: wireOption(context.listing, opened), isRepeat: false }
  return { order: await optionNow(context, user, outcome.order, outcome.seq), isRepeat: true }
}

/**
 * The order as of the command at `seq`: from memory if it is there, otherwise from the core or the tables.
 *
 * throws  Refused ORDER_UNKNOWN
 */
export async function optionNow(context: Context, user: UserId, id: OrderId, seq: number): Promise<WireOption> {
  await context.followed.reached(seq)
  const state = context.data.options.get(id)
  if (state && state.user !== user) throw new Refused('ORDER_UNKNOWN')
  if (state) return wireOption(context.listing, state)
  await context.freshness.settled(user)
  const open = (await context.ask.openOptions(user)).find(({ order }) => order === id)
  if (open) return wireOption(context.listing, open)
  const settled = await optionById(context.pool, user, id)
  if (!settled) throw new Refused('ORDER_UNKNOWN')
  return settled
}
