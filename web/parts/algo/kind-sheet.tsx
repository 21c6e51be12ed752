import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { Suspense, useState } from 'react'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import type { OrderKind } from '../desk/form.ts'
import { Terms } from '../help/terms-line.tsx'
import { later, laterSheet } from '../ui/later.tsx'
import { ChoiceRow } from '../ui/row.tsx'
import { Sheet } from '../ui/sheet.tsx'
import type { AlgoKind } from './names.ts'

const texts = () => Promise.all([loadArea('algo'), loadArea('refusals')])
const Rows = later(() => Promise.all([import('./kinds.tsx'), texts()]).then(([module]) => module.AlgoKindRows))
const AlgoSheet = laterSheet(() => Promise.all([import('./sheet.tsx'), texts()]).then(([module]) => module.AlgoSheet))

export type AlgoDesk = { readonly market: WireMarket; readonly price: string | undefined; readonly isHedge?: boolean | undefined }

/**
 * The list of kinds of orders, each with one line of explanation. With a `desk` also TWAP and scaled orders, which have a sheet of
 * their own.
 */
export function KindSheet<Offered extends OrderKind>({
  isOpen,
  kind,
  kinds,
  detail,
  desk,
  onClose,
  onChoose,
}: {
  readonly isOpen: boolean
  readonly kind: Offered
  readonly kinds: readonly Offered[]
  readonly detail: (kind: Offered) => string
  readonly desk: AlgoDesk | undefined
  readonly onClose: () => void
  readonly onChoose: (kind: Offered) => void
}) {
  const { t } = useTranslation()
  const [algo, setAlgo] = useState<AlgoKind>()
  const choose = (chosen: AlgoKind): void => {
    onClose()
    setAlgo(chosen)
  }
  return (
    <>
      <Sheet isOpen={isOpen} onClose={onClose} title={t('trade.orderType')}>
        <div role="radiogroup" aria-label={t('trade.orderType')} className="-mx-2">
          {isOpen &&
            kinds.map((one) => (
              <ChoiceRow
                key={one}
                isOn={one === kind}
                title={t(`trade.kind.${one}`)}
                detail={detail(one)}
                onClick={() => {
                  onChoose(one)
                  onClose()
                }}
              />
            ))}
          {isOpen && desk !== undefined && (
            <Suspense fallback={<div className="h-32" />}>
              <Rows onChoose={choose} />
            </Suspense>
          )}
        </div>
        {isOpen && <Terms ids={['limit', 'market', 'stop', 'trailing', 'oco', 'slippage']} />}
      </Sheet>
      <Suspense fallback={null}>
        {algo !== undefined && desk !== undefined && <AlgoSheet {...desk} kind={algo} onClose={() => setAlgo(undefined)} />}
      </Suspense>
    </>
  )
}
