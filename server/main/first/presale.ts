import type { Days, Millis, Ppm, Units } from '@candor/core/money/brand.ts'
import type { PresaleTerms, ReleaseTerms } from '@candor/core/protocol/command/presale.ts'
import type { AssetId, PresaleNumber } from '@candor/core/protocol/ids.ts'
import { localeCodes } from '@candor/core/protocol/locales.ts'
import type { Ask, Submit } from '@candor/core/protocol/port.ts'
import type { PresaleDetails } from '@candor/core/protocol/wire/console/presale.ts'
import { dayMs } from '@candor/core/risk/presale.ts'
import type pg from 'pg'
import { PresaleTexts } from '../../presales/presales.ts'
import { accepted } from '../first-accepted.ts'
import { practicePaper } from './paper.ts'
import { practiceTexts } from './presale-texts.ts'

const symbol = 'PRACT'
const scale = 6
const whole = 10 ** scale
/** Tokens of a round, one of which costs 0.05 USDT, and those that exist. */
const [ofRound, issued] = [2_000_000 * whole, 10_000_000 * whole]
const windowMs = 72 * 3_600_000

const releases: readonly [first: ReleaseTerms, second: ReleaseTerms] = [
  { atListingPpm: 200_000 as Ppm, kind: 'linear', lockDays: 30 as Days, steps: [] },
  {
    ...{ atListingPpm: 200_000 as Ppm, kind: 'steps', lockDays: 90 as Days },
    steps: [
      { day: 30 as Days, ppm: 300_000 as Ppm },
      { day: 90 as Days, ppm: 500_000 as Ppm },
    ],
  },
]

/**
 * Opens the practice presales of a new sandbox, by journaled commands: one that has begun, and one that begins a day later. An exchange that
 * has had a presale or has the token is left as it is, and production begins without any.
 */
export async function openFirstPresales(submit: Submit, ask: Ask, pool: pg.Pool): Promise<void> {
  const { assets } = await ask.listing()
  const usdt = assets.find((asset) => asset.symbol === 'USDT')
  const { rows } = await pool.query<{ isNew: boolean }>('select not exists (select from presale_details) as "isNew"')
  if (usdt === undefined || assets.some((asset) => asset.symbol === symbol) || !rows[0]!.isNew) return
  const token = (assets.length + 1) as AssetId
  await accepted(submit, { type: 'asset.list', symbol, scale })
  const { at } = await accepted(submit, { type: 'funds.system', account: 'presale-tokens', asset: token, amount: issued as Units })
  const texts = new PresaleTexts(pool, () => at)
  const documentHash = await texts.addPaper(practicePaper(), null)
  for (const [round, release] of releases.entries()) {
    const { number, hash } = await texts.add(detailsOf(round), null)
    const startsAt = (at + round * dayMs) as Millis
    const terms: PresaleTerms = {
      ...{ token, pay: usdt.id, price: { pay: (10 ** usdt.scale / 20) as Units, per: whole as Units }, supply: ofRound as Units },
      ...{ purchaseLimit: (ofRound / 100) as Units, subscriptionMin: (10 * 10 ** usdt.scale) as Units },
      ...{ subscriptionMax: (5000 * 10 ** usdt.scale) as Units, softCap: 0 as Units, startsAt, endsAt: (startsAt + windowMs) as Millis },
      ...{ release, documentHash, detailsHash: hash },
    }
    await accepted(submit, { type: 'presale.set', presale: number as PresaleNumber, terms })
  }
}

function detailsOf(round: number): PresaleDetails {
  const texts = localeCodes.map((lang) => {
    const { titles, ...text } = practiceTexts[lang]
    return [lang, { title: titles[round]!, ...text }] as const
  })
  return {
    ...{ token: symbol, name: 'Practice Token', totalSupply: String(issued / whole), contract: null },
    texts: Object.fromEntries(texts) as PresaleDetails['texts'],
  }
}
