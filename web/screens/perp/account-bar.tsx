import { memo } from 'react'
import { useTranslation } from '../../app/translate.ts'
import type { Context } from './form.ts'
import type { SheetName } from './sheets.tsx'

/** Three chips for margin mode, leverage and position mode, each of which opens its sheet. */
export const AccountBar = memo(function AccountBar({
  mode,
  leverage,
  isHedge,
  onOpen,
}: Pick<Context, 'mode' | 'leverage' | 'isHedge'> & { readonly onOpen: (sheet: SheetName) => void }) {
  const { t } = useTranslation()
  const chips = [
    { sheet: 'mode', text: t(`perp.mode.${mode}`), says: t('perp.marginMode'), tone: '' },
    { sheet: 'leverage', text: `${leverage}×`, says: t('perp.leverage'), tone: 'text-brand' },
    { sheet: 'hedge', text: isHedge ? t('perp.hedge') : t('perp.oneWay'), says: t('perp.positionMode'), tone: '' },
  ] as const
  return (
    <div className="flex flex-wrap gap-1.5">
      {chips.map(({ sheet, text, says, tone }) => (
        <button
          key={sheet}
          type="button"
          aria-haspopup="dialog"
          aria-label={`${says}: ${text}`}
          onClick={() => onOpen(sheet)}
          className={`press tn min-h-8 min-w-0 grow truncate rounded-chip bg-s2 px-2 text-12 font-medium ${tone}`}
        >
          {text}
        </button>
      ))}
    </div>
  )
})
