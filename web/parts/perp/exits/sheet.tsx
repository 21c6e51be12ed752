import { useState } from 'react'
import { useTranslation } from '../../../app/translate.ts'
import { Sheet } from '../../ui/sheet.tsx'
import { Segmented } from '../../ui/tabs.tsx'
import type { PositionSheetProps } from '../position-sheets.tsx'
import { wholeOf } from './draft.ts'
import type { Exit } from './list.ts'
import { useSingle } from './single.tsx'
import { useWhole } from './whole.tsx'

/** Take profits and stop losses of a position: one of each for the whole of it, or several, each of a part. */
export function ExitsSheet({ exits, ...props }: PositionSheetProps & { readonly exits: readonly Exit[]; readonly isHedge: boolean }) {
  const { t } = useTranslation()
  const { market } = props.scales
  const whole = wholeOf(exits)
  const [tab, setTab] = useState<'whole' | 'single'>(() =>
    exits.some(({ order }) => order !== whole.takeProfit && order !== whole.stopLoss) ? 'single' : 'whole',
  )
  const forms = { whole: useWhole({ ...props, exits: whole }), single: useSingle({ ...props, exits }) }
  return (
    <Sheet
      isOpen
      onClose={props.onClose}
      title={t('positions.exitsTitle', { pair: `${market.base}/${market.quote}` })}
      footer={forms[tab].footer}
    >
      <div className="flex flex-col gap-3">
        <Segmented
          label={t('perp.exits')}
          value={tab}
          onChange={setTab}
          choices={[
            { value: 'whole', label: t('positions.wholePosition') },
            { value: 'single', label: exits.length === 0 ? t('exits.several') : `${t('exits.several')} (${exits.length})` },
          ]}
        />
        {forms[tab].body}
      </div>
    </Sheet>
  )
}
