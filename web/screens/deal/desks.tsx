import { useTranslation } from '../../app/translate.ts'

const desks = [{ path: '/spot', label: 'trade.spot' }] as const

/** The desks of the trade container, side by side; the open one is the screen's heading. */
export function Desks({ current }: { readonly current: string }) {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('trade.desks')} className="no-scrollbar flex items-baseline gap-5 overflow-x-auto px-4 pt-3 pb-1">
      {desks.map(({ path, label }) =>
        path === current ? (
          <h1 key={path} aria-current="page" className="text-22 font-semibold">
            {t(label)}
          </h1>
        ) : (
          <a key={path} href={`#${path}`} className="text-17 font-medium text-fg3">
            {t(label)}
          </a>
        ),
      )}
    </nav>
  )
}
