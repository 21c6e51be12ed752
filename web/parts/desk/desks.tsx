import { prefetch, routes } from '../../app/routes.ts'
import { useTranslation } from '../../app/translate.ts'

const desks = [
  { path: '/spot', label: 'trade.spot' },
  { path: '/contract', label: 'trade.futures' },
  { path: '/lever', label: 'trade.margin' },
  { path: '/Second', label: 'trade.optionsDesk' },
] as const

/** Links to the trading desks, side by side. The open desk is the screen's heading. */
export function Desks({ current }: { readonly current: string }) {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('trade.desks')} className="no-scrollbar flex items-baseline gap-5 overflow-x-auto px-4 pt-3 pb-1">
      {desks
        .filter(({ path }) => Object.hasOwn(routes, path))
        .map(({ path, label }) =>
          path === current ? (
            <h1 key={path} aria-current="page" className="shrink-0 text-22 font-semibold">
              {t(label)}
            </h1>
          ) : (
            <a key={path} href={`#${path}`} onPointerDown={() => prefetch(path)} className="shrink-0 text-17 font-medium text-fg3">
              {t(label)}
            </a>
          ),
        )}
    </nav>
  )
}
