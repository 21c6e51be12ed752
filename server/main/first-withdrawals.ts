import type { Units } from '@candor/core/money/brand.ts'
import type { WithdrawTerms } from '@candor/core/protocol/command/chain.ts'
import type { NetworkNumber } from '@candor/core/protocol/ids.ts'
import type { Ask, Submit } from '@candor/core/protocol/port.ts'
import { defaultNetworks } from '../chains/networks.ts'
import { acceptedAtFirst } from './first-accepted.ts'

const usdt = (whole: number): Units => (whole * 1_000_000) as Units

/** Smallest amount and fee by the kind of network, in USDT. */
const terms = { tron: { min: usdt(10), fee: usdt(1) }, evm: { min: usdt(20), fee: usdt(5) } } as const

/** Terms of withdrawals of USDT: up to 500 nobody approves, up to 10,000 one person. In production they begin closed. */
export const firstWithdrawTerms = (kind: 'tron' | 'evm', isOpen: boolean): WithdrawTerms => ({
  ...{ isOpen, ...terms[kind], autoMax: usdt(500), singleMax: usdt(10_000) },
})

/** Sets the terms of networks that have none, by journaled commands. */
export async function openWithdrawals(submit: Submit, ask: Ask, mode: 'sandbox' | 'production'): Promise<void> {
  const [known, { assets }] = await Promise.all([ask.withdrawTerms(), ask.listing()])
  const asset = assets.find(({ symbol }) => symbol === 'USDT')
  if (asset === undefined) return
  for (const { number, kind } of defaultNetworks) {
    if (known.some((one) => one.network === number && one.asset === asset.id)) continue
    const network = number as NetworkNumber
    await acceptedAtFirst(submit, {
      type: 'withdraw.setTerms',
      asset: asset.id,
      network,
      terms: firstWithdrawTerms(kind, mode === 'sandbox'),
    })
  }
}
