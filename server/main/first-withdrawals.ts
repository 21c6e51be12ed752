import type { Units } from '@candor/core/money/brand.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import type { WithdrawTerms } from '@candor/core/protocol/command/chain.ts'
import type { NetworkNumber } from '@candor/core/protocol/ids.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { Ask, Submit } from '@candor/core/protocol/port.ts'
import { defaultNetworks } from '../chains/networks.ts'
import type { NetworkKind } from '../chains/ports.ts'
import { acceptedAtFirst } from './first-accepted.ts'

type Sums = { readonly [Name in Exclude<keyof WithdrawTerms, 'isOpen'>]: string }

/** Up to about 500 USDT nobody approves, up to about 10,000 one person. */
const usdt = { autoMax: '500', singleMax: '10000' } as const

/** First terms by the kind of network, in each coin. */
const firstTerms: { readonly [Kind in NetworkKind]: Readonly<Record<string, Sums>> } = {
  tron: { USDT: { min: '10', fee: '1', ...usdt }, TRX: { min: '20', fee: '2', autoMax: '1900', singleMax: '37000' } },
  evm: { USDT: { min: '20', fee: '5', ...usdt }, ETH: { min: '0.01', fee: '0.002', autoMax: '0.2', singleMax: '4' } },
}

/** In production they begin closed. */
export function firstWithdrawTerms(kind: NetworkKind, { symbol, scale }: Asset, isOpen: boolean): WithdrawTerms {
  const { min, fee, autoMax, singleMax } = firstTerms[kind][symbol]!
  const units = (text: string): Units => parseUnits(text, scale) as Units
  return { isOpen, min: units(min), fee: units(fee), autoMax: units(autoMax), singleMax: units(singleMax) }
}

/** Sets the terms of coins on networks that have none, by journaled commands. */
export async function openWithdrawals(submit: Submit, ask: Ask, mode: 'sandbox' | 'production'): Promise<void> {
  const [known, { assets }] = await Promise.all([ask.withdrawTerms(), ask.listing()])
  for (const { number, kind } of defaultNetworks) {
    for (const asset of assets.filter(({ symbol }) => Object.hasOwn(firstTerms[kind], symbol))) {
      if (known.some((one) => one.network === number && one.asset === asset.id)) continue
      const terms = firstWithdrawTerms(kind, asset, mode === 'sandbox')
      await acceptedAtFirst(submit, { type: 'withdraw.setTerms', asset: asset.id, network: number as NetworkNumber, terms })
    }
  }
}
