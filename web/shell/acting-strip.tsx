import { acting, actFor } from '../app/firm/acting.ts'
import { useTranslation } from '../app/translate.ts'

/** Shown on every screen while the tab acts for an account of a firm, so that nobody trades on the wrong one. */
export function ActingStrip() {
  const { t } = useTranslation()
  if (acting === undefined) return null
  const { firm, firmName, label } = acting
  return (
    <aside
      aria-label={t('shell.actingLabel')}
      className="sticky top-0 z-20 flex min-h-9 items-center gap-3 bg-brandtint ps-4 pe-2 text-12 font-medium text-fg"
    >
      <a href={`#/organization?firm=${firm}`} className="flex min-h-9 min-w-0 flex-1 items-center">
        <span className="truncate">{label === firmName ? firmName : t('shell.acting', { firm: firmName, account: label })}</span>
      </a>
      <button
        type="button"
        onClick={() => actFor(undefined, `/organization?firm=${firm}`)}
        className="min-h-8 shrink-0 rounded-chip px-2 font-semibold text-brand active:bg-s2"
      >
        {t('shell.actingEnd')}
      </button>
    </aside>
  )
}
