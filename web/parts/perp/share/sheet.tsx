import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireClosedPosition, WirePosition } from '@candor/core/protocol/wire/perp.ts'
import { useFormats } from '../../../app/format.ts'
import { useTranslation } from '../../../app/translate.ts'
import { ShareSheet } from '../../share/sheet.tsx'
import type { Standing } from '../risk.ts'
import { closedFacts, openFacts } from './facts.ts'

type Common = { readonly market: WireMarket; readonly onClose: () => void }

/** The picture of an open position. `mark`: the price by which `standing` was computed. */
export function ShareOpen({
  position,
  standing,
  mark,
  market,
  onClose,
}: Common & { readonly position: WirePosition; readonly standing: Standing; readonly mark: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  return <ShareSheet factsOf={() => openFacts(position, standing, { mark, at: Date.now() }, { t, format, market })} onClose={onClose} />
}

/** The picture of a closed position. */
export function ShareClosed({ position, market, onClose }: Common & { readonly position: WireClosedPosition }) {
  const { t } = useTranslation()
  const format = useFormats()
  return <ShareSheet factsOf={() => closedFacts(position, { t, format, market })} onClose={onClose} />
}
