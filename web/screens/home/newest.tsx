import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Megaphone, Pause, Play, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useLang } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { newestQuery, news } from '../../parts/news/news.ts'

const shownMax = 5
const turnEveryMs = 6_000

/**
 * The newest announcements, one at a time, until they end or are hidden on this device. They turn by themselves unless they are paused,
 * pointed at or focused, or motion is reduced.
 */
export function Newest() {
  const { t } = useTranslation()
  const lang = useLang((state) => state.lang)
  const [hidden, setHidden] = useState(hiddenUpTo)
  const [at, setAt] = useState(0)
  const [isPaused, setIsPaused] = useState(isCalm)
  const [isHeld, setIsHeld] = useState(false)
  const { data } = useQuery({
    queryKey: newestQuery(lang),
    queryFn: () => news.announcements({ lang, limit: shownMax }),
    staleTime: 60_000,
  })
  const list = (data?.announcements ?? []).filter(({ number, until }) => number > hidden && until > Date.now())
  const count = list.length
  const turns = count > 1 && !isPaused && !isHeld
  useEffect(() => {
    if (!turns) return undefined
    const timer = setInterval(() => document.hidden || setAt((now) => now + 1), turnEveryMs)
    return () => clearInterval(timer)
  }, [turns])
  const shown = list[at % count]
  const newest = list[0]
  if (shown === undefined || newest === undefined) return null
  return (
    <aside
      aria-label={t('home.newest')}
      className="mx-4 flex flex-col rounded-card bg-brandtint ps-4 pe-1"
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <div className="flex items-center gap-1">
        <a href="#/announcements" className="flex min-h-12 min-w-0 flex-1 items-center gap-3 py-2 text-13 font-semibold text-pretty">
          <Megaphone size={18} strokeWidth={1.75} aria-hidden className="shrink-0 text-brand" />
          <span className="min-w-0 break-words">{shown.title}</span>
        </a>
        <Icon label={t('home.dismiss')} onClick={() => setHidden(hideUpTo(newest.number))}>
          <X size={18} strokeWidth={1.75} aria-hidden />
        </Icon>
      </div>
      {count > 1 && (
        <div className="flex items-center justify-between pb-1">
          <span className="tn text-12 text-fg2">{t('home.newsOf', { number: (at % count) + 1, count })}</span>
          <span className="flex">
            <Icon label={t('home.newsBefore')} onClick={() => setAt((at % count) + count - 1)}>
              <ChevronLeft size={18} strokeWidth={1.75} aria-hidden />
            </Icon>
            <Icon label={isPaused ? t('home.newsPlay') : t('home.newsPause')} onClick={() => setIsPaused(!isPaused)}>
              {isPaused ? <Play size={16} strokeWidth={1.75} aria-hidden /> : <Pause size={16} strokeWidth={1.75} aria-hidden />}
            </Icon>
            <Icon label={t('home.newsNext')} onClick={() => setAt(at + 1)}>
              <ChevronRight size={18} strokeWidth={1.75} aria-hidden />
            </Icon>
          </span>
        </div>
      )}
    </aside>
  )
}

function Icon({ label, onClick, children }: { readonly label: string; readonly onClick: () => void; readonly children: ReactNode }) {
  return (
    <button type="button" aria-label={label} className="press flex size-11 shrink-0 items-center justify-center text-fg2" onClick={onClick}>
      {children}
    </button>
  )
}

function isCalm(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
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
