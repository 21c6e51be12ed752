import type { Millis, Ppm, Units } from '@candor/core/money/brand.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import type { ConvertShelf, ConvertTerms } from '@candor/core/protocol/command/convert.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { Ask, Submit } from '@candor/core/protocol/port.ts'
import { faucetTerms } from './defaults.ts'
import { acceptedAtFirst } from './first-accepted.ts'

const usdt = (whole: number): Units => (whole * 1_000_000) as Units

/** Targets of the inventory in a sandbox, as multiples of one press of the faucet button: about 500,000 USDT of a coin. */
const [coinPresses, usdtPresses] = [50, 300]
/** Part of a target by which conversions may move the inventory, in percent. */
const bandPercent = 80

/**
 * Initial terms of conversions. In production nothing has a target, and they are closed until two members of the staff open them.
 */
export function firstConvertTerms(mode: 'sandbox' | 'production', assets: readonly Asset[]): ConvertTerms {
  return {
    isOpen: mode === 'sandbox',
    spreadPpm: 1000 as Ppm,
    validMs: 8000 as Millis,
    delayMs: 1500 as Millis,
    waitMs: 10_000 as Millis,
    driftPpm: 800 as Ppm,
    bookPpm: 10_000 as Ppm,
    min: usdt(5),
    max: usdt(50_000),
    userMax: usdt(200_000),
    hedger: 0,
    shelves: assets.map((asset) => (mode === 'sandbox' ? shelfOf(asset) : { asset: asset.id, target: 0 as Units, band: 0 as Units })),
  }
}

function shelfOf({ id: asset, symbol, scale }: Asset): ConvertShelf {
  const press = faucetTerms.find((one) => one.asset === symbol)?.amount
  const presses = symbol === 'USDT' ? usdtPresses : coinPresses
  const target = press === undefined ? 0 : parseUnits(press, scale)! * presses
  return { asset, target: target as Units, band: Math.floor((target * bandPercent) / 100) as Units }
}

/** Sets the terms of an exchange without any and, in the sandbox, fills the inventory up to its targets, by journaled commands. */
export async function setFirstConvert(submit: Submit, ask: Ask, mode: 'sandbox' | 'production'): Promise<void> {
  if ((await ask.convertTerms()) !== null) return
  const { assets, markets } = await ask.listing()
  const usdtId = assets.find(({ symbol }) => symbol === 'USDT')?.id
  const priced = assets.filter(
    ({ id }) => id === usdtId || markets.some(({ base, quote, perp }) => base === id && quote === usdtId && perp === undefined),
  )
  const terms = firstConvertTerms(mode, priced)
  if (mode === 'sandbox')
    for (const { asset, target: amount } of terms.shelves)
      if (amount > 0) await acceptedAtFirst(submit, { type: 'funds.system', account: 'convert-inventory', asset, amount })
  await acceptedAtFirst(submit, { type: 'convert.setTerms', terms })
}
