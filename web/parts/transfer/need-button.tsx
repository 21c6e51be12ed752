import { type ReactNode, Suspense, useState } from 'react'
import { useBalances } from '../../app/account.ts'
import { useConfig } from '../../app/config.ts'
import { useTranslation } from '../../app/translate.ts'
import { FaucetAllButton } from '../funds/faucet-all-button.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { TransferSheet } from './lazy-sheet.ts'
import { needOf, type Wanted } from './need.ts'
import type { Move } from './places.ts'

/** The button that stands in place of an order's while its account is empty. `children`: the order's own, if nothing can fill it. */
export function NeedButton({ wanted, children }: { readonly wanted: Wanted; readonly children: ReactNode }) {
  const { t } = useTranslation()
  const accounts = useBalances().data?.accounts ?? []
  const hasPractice = (useConfig().data?.faucet.length ?? 0) > 0
  const need = needOf({ accounts }, wanted, hasPractice)
  switch (need?.kind) {
    case undefined:
      return children
    case 'practice':
      return <FaucetAllButton />
    case 'deposit':
      return (
        <ButtonLink to={`/recharge?asset=${wanted.asset}`} isWide>
          {t('first.deposit', { asset: wanted.asset })}
        </ButtonLink>
      )
    case 'transfer':
      return <TransferButton move={need.move} />
  }
}

/** Opens the transfer above the desk, so that what was typed stays. */
function TransferButton({ move }: { readonly move: Move }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button isWide aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {t('first.transfer', { asset: move.asset })}
      </Button>
      <Suspense fallback={null}>{isOpen && <TransferSheet start={move} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}
