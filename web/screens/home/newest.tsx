import { useQuery } from '@tanstack/react-query'
import { Megaphone, X } from 'lucide-react'
import { useState } from 'react'
import { useLang } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { newestQuery, news } from '../../parts/news/news.ts'

/** The newest announcement, until it ends or is hidden on this device. */
export function Newest() {
  const { t } = useTranslation()
  const lang = useLang((state) => state.lang)
  const [hidden, setHidden] = useState(hiddenUpTo)
  const { data } = useQuery({
    queryKey: newestQuery(lang),
    queryFn: () => news.announcements({ lang, limit: 1 }),
    staleTime: 60_000,
  })
  const newest = data?.announcements[0]
  if (newest === undefined || newest.number <= hidden || newest.until <= Date.now()) return null
  return (
    <aside aria-label={t('home.newest')} className="mx-4 flex items-center gap-1 rounded-card bg-brandtint ps-4 pe-1">
      <a href="#/announcements" className="flex min-h-12 min-w-0 flex-1 items-center gap-3 py-2 text-13 font-semibold text-pretty">
        <Megaphone size={18} strokeWidth={1.75} aria-hidden className="shrink-0 text-brand" />
        <span className="min-w-0 break-words">{newest.title}</span>
      </a>
      <button
        type="button"
        aria-label={t('home.dismiss')}
        className="press flex size-11 shrink-0 items-center justify-center text-fg2"
        onClick={() => setHidden(hideUpTo(newest.number))}
      >
        <X size={18} strokeWidth={1.75} aria-hidden />
      </button>
    </aside>
  )
}

/** Number of the newest announcement that was hidden on this device. It is no setting, so that it loads with home only. */
function hiddenUpTo(): number {
  try {
    return Number(localStorage.getItem('hidden-announcement')) || 0
  } catch {
    return 0
  }
}

function hideUpTo(number: number): number {
  try {
    localStorage.setItem('hidden-announcement', String(number))
  } catch {}
  return number
}
