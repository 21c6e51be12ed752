import { Layers } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useConfig } from '../../app/config.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { laterSheet } from '../ui/later.tsx'
import { RowsSkeleton } from '../ui/skeleton.tsx'
import { Empty, Failure } from '../ui/state.tsx'
import { usePerpAccount, usePerpOrders } from './account.ts'
import { PositionCard } from './position-card.tsx'

const CloseAllSheet = laterSheet(() => import('./close-all-sheet.tsx').then((module) => module.CloseAllSheet))

/** The user's open positions as cards, of one market or of all. */
export function Positions({
  symbol = '',
  top,
  action,
}: {
  readonly symbol?: string
  /** Shown above the cards. */
  readonly top?: ReactNode
  /** Shown when there are no positions. */
  readonly action?: ReactNode
}) {
  const { t } = useTranslation()
  const query = usePerpAccount()
  const orders = usePerpOrders().data ?? []
  const config = useConfig().data
  const [isClosing, setIsClosing] = useState(false)
  if (query.data === undefined) return query.error === null ? <RowsSkeleton rows={2} /> : <Failure error={query.error} isSmall />
  const shown = query.data.positions.filter((position) => symbol === '' || position.symbol === symbol)
  return (
    <div className="flex flex-col gap-3 pt-2 pb-4">
      {(top !== undefined || shown.length > 1) && (
        <div className="flex flex-wrap items-center gap-x-3 px-4">
          {top}
          {shown.length > 1 && (
            <Button
              variant="ghost"
              size="small"
              className={`-me-3 ${top === undefined ? 'ms-auto' : ''}`}
              onClick={() => setIsClosing(true)}
            >
              {t('positions.closeAll.open')}
            </Button>
          )}
        </div>
      )}
      <Suspense fallback={null}>
        {isClosing && config !== undefined && (
          <CloseAllSheet positions={shown} isHedge={query.data.isHedge} config={config} onClose={() => setIsClosing(false)} />
        )}
      </Suspense>
      {shown.length === 0 && (
        <Empty text={t('positions.noPositions')} icon={<Layers size={22} strokeWidth={1.75} />}>
          {action}
        </Empty>
      )}
      {shown.map((position) => (
        <PositionCard key={position.id} position={position} orders={orders} isHedge={query.data.isHedge} />
      ))}
    </div>
  )
}
