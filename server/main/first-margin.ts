import type { Units } from '@candor/core/money/brand.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Ask, Submit } from '@candor/core/protocol/port.ts'
import { firstMarginTerms } from '@candor/core/risk/margin-terms.ts'
import { accepted, acceptedAtFirst } from './first-accepted.ts'
import { faucetTerms } from './defaults.ts'

/** Initial pool funds, as a multiple of one press of the faucet button: about a million USDT of each asset. */
const presses = 100

/** Practice funds of the insurance fund of margin trading, in whole USDT. */
const firstInsurance = 1_000_000

/**
 * Sets the terms of margin trading and lending for an exchange without any: in production they are closed until an operator opens
 * them. In a sandbox the insurance fund gets its initial money at the same time and only then, so a fund that was used up stays
 * empty.
 */
export async function setFirstMargin(submit: Submit, ask: Ask, mode: 'sandbox' | 'production'): Promise<void> {
  if ((await ask.marginTerms()) !== null) return
  const { assets } = await ask.listing()
  const { id, scale } = assets.find(({ symbol }) => symbol === 'USDT')!
  if (mode === 'sandbox') {
    const amount = (firstInsurance * 10 ** scale) as Units
    await acceptedAtFirst(submit, { type: 'funds.system', account: 'insurance-margin', asset: id, amount })
  }
  await acceptedAtFirst(submit, { type: 'margin.setTerms', terms: { ...firstMarginTerms(scale, assets), isOpen: mode === 'sandbox' } })
}

/**
 * Fills the empty lending pools of a sandbox, so that users can borrow on the first day; does nothing while lending is closed.
 * The lender is a user of the core without a login, has practice funds, and earns interest like everybody else.
 */
export async function fillFirstPools(submit: Submit, ask: Ask): Promise<void> {
  const [terms, { assets }, pools] = await Promise.all([ask.marginTerms(), ask.listing(), ask.pools()])
  if (terms?.isOpen !== true) return
  const empty = pools.filter(({ supplied }) => supplied === 0).map(({ asset }) => asset)
  const wanted = assets.filter(({ id, symbol }) => empty.includes(id) && faucetTerms.some(({ asset }) => asset === symbol))
  if (wanted.length === 0) return
  const { user } = await accepted(submit, { type: 'user.open', requestId: 'house-lender', class: 'maker', referrer: 0 as UserId })
  await accepted(submit, { type: 'user.certify', user, isCertified: true })
  for (const { id, symbol, scale } of wanted) {
    const press = parseUnits(faucetTerms.find(({ asset }) => asset === symbol)!.amount, scale)!
    const amount = (press * presses) as typeof press
    await accepted(submit, { type: 'funds.faucet', user, clientId: '', asset: id, amount })
    await accepted(submit, { type: 'lend.supply', user, clientId: '', asset: id, amount })
  }
}
