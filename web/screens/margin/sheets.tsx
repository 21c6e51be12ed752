import type { WireMarginAccount } from '@candor/core/protocol/wire/margin.ts'
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { Suspense } from 'react'
import { TransferSheet } from '../../parts/transfer/lazy-sheet.ts'
import { laterSheet } from '../../parts/ui/later.tsx'

const loans = () => import('../../parts/margin/loan-sheets.tsx')
const BorrowSheet = laterSheet(() => loans().then((module) => module.BorrowSheet))
const RepaySheet = laterSheet(() => loans().then((module) => module.RepaySheet))

export type SheetName = 'transfer' | 'borrow' | 'repay'

/** Sheets opened by the account's buttons; their code is loaded at that time. */
export function Sheets({
  sheet,
  market,
  config,
  account,
  onClose,
}: {
  readonly sheet: SheetName
  readonly market: WireMarket
  readonly config: WireConfig
  readonly account: WireMarginAccount
  readonly onClose: () => void
}) {
  const props = { account, config, asset: market.quote, onClose }
  return (
    <Suspense fallback={null}>
      {sheet === 'borrow' && <BorrowSheet {...props} />}
      {sheet === 'repay' && <RepaySheet {...props} />}
      {sheet === 'transfer' && (
        <TransferSheet start={{ from: 'spot', to: account.kind, asset: market.quote, symbol: market.symbol }} onClose={onClose} />
      )}
    </Suspense>
  )
}
