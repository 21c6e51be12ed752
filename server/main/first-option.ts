import type { Millis, Ppm, Units } from '@candor/core/money/brand.ts'
import type { OptionTerms } from '@candor/core/protocol/command/option.ts'
import type { Ask, Submit } from '@candor/core/protocol/port.ts'
import { acceptedAtFirst } from './first-accepted.ts'

const dayMs = 86_400_000
const usdt = (whole: number): Units => (whole * 1_000_000) as Units

/** Initial terms of Second: in production it is closed until an operator opens it; in the sandbox limits change without a wait. */
export function firstOptionTerms(mode: 'sandbox' | 'production'): OptionTerms {
  const rates = [
    [30, 80],
    [60, 82],
    [120, 84],
    [180, 85],
    [300, 86],
    [900, 88],
  ] as const
  return {
    isOpen: mode === 'sandbox',
    rates: rates.map(([seconds, percent]) => ({ seconds, profitPpm: (percent * 10_000) as Ppm })),
    stakeMin: usdt(5),
    stakeMax: usdt(1_000),
    openMax: usdt(5_000),
    sideMax: usdt(3_000),
    strikeDelayMs: 1_500,
    windowPpm: 100_000 as Ppm,
    windowMaxMs: 5_000,
    gapMaxMs: 3_000,
    marketExposurePpm: 30_000 as Ppm,
    totalExposurePpm: 100_000 as Ppm,
    groupExposurePpm: 50_000 as Ppm,
    groupPpm: 700_000 as Ppm,
    guardVoidsFree: 3,
    guardVoidsPpm: 200_000 as Ppm,
    houseFloor: usdt(100_000),
    limitWaitMs: (mode === 'sandbox' ? 0 : dayMs) as Millis,
  }
}

/** Practice funds of the house fund. */
const firstFund = usdt(1_000_000)

/** Sets the terms of an exchange without any and, in the sandbox, gives the house fund its initial money, by journaled commands. */
export async function setFirstOption(submit: Submit, ask: Ask, mode: 'sandbox' | 'production'): Promise<void> {
  const [{ terms, fund }, { assets }] = await Promise.all([ask.optionTerms(), ask.listing()])
  if (terms !== null) return
  const asset = assets.find(({ symbol }) => symbol === 'USDT')
  if (mode === 'sandbox' && fund === 0 && asset !== undefined) {
    await acceptedAtFirst(submit, { type: 'funds.system', account: 'option-house', asset: asset.id, amount: firstFund })
  }
  await acceptedAtFirst(submit, { type: 'option.setTerms', terms: firstOptionTerms(mode) })
}
