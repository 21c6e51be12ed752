/** The frame around every screen: strips above, the tab bar below, and sheets and toasts over them. */
import { Suspense, useDeferredValue, useEffect } from 'react'
import { Toasts } from '../parts/ui/toast.tsx'
import { ActingStrip } from './acting-strip.tsx'
import { navigate, placeOf, ShownHash, useHash } from '../app/location.ts'
import { prefetch, redirects, withTabBar } from '../app/routes.ts'
import { useIsWide } from '../app/wide/use-is-wide.ts'
import { later } from '../parts/ui/later.tsx'
import { ScreenSkeleton } from '../parts/ui/skeleton.tsx'
import { ScreenHost } from './screen-host.tsx'
import { useTradePath } from '../app/preferences/use-layout.ts'
import { BehindStrip, OfflineStrip, PracticeStrip } from './strips.tsx'
import { Turn } from '../parts/ui/turn.tsx'
import { TabBar } from './tab-bar.tsx'
import { loadArea } from '../app/texts.ts'

const TopBar = later(() => import('./top-bar.tsx').then((bar) => bar.loadTopBar()))

/** Questions and reminders above the screens: none is asked before the first screen is complete. */
const Layers = later(() => import('./layers.tsx').then((module) => module.Layers))

const Beside = later(() => import('./beside.tsx').then((module) => module.Beside))

export function Shell() {
  const hash = useHash()
  const deferred = useDeferredValue(hash)
  const { path } = placeOf(hash)
  // A screen that changes its own query sees that at once.
  const shown = placeOf(deferred).path === path ? hash : deferred
  const target = redirects[path]
  const place = placeOf(shown).path
  const shownPath = redirects[place] ?? place
  const trade = useTradePath()
  const isWide = useIsWide()
  const Host = isWide ? Beside : ScreenHost

  useEffect(() => {
    if (target === undefined) return
    const rest = placeOf(hash).query.toString()
    navigate(rest === '' ? target : `${target}?${rest}`, { replace: true })
  }, [target, hash])

  useEffect(() => {
    const idle = globalThis.requestIdleCallback ?? setTimeout
    // Delayed until the first screen is complete: the other tabs are rarely opened in the first seconds.
    const timer = setTimeout(() => {
      for (const tab of ['/', '/market', trade, '/property', '/me']) idle(() => prefetch(tab))
      // Texts of sheets that open from any screen, so that they work offline too.
      for (const area of ['setting', 'about', 'practice'] as const) idle(() => void loadArea(area).catch(() => undefined))
    }, 4_000)
    return () => clearTimeout(timer)
  }, [trade])

  const hasTabBar = !isWide && withTabBar.includes(shownPath)
  return (
    <ShownHash value={shown}>
      <div className="mx-auto flex min-h-[calc(var(--vh)*100)] max-w-[40rem] flex-col">
        {strips}
        {isWide && (
          <Suspense fallback={<div className="h-11" />}>
            <TopBar path={target ?? path} />
          </Suspense>
        )}
        <main
          className={`flex flex-1 flex-col ${hasTabBar ? 'pb-[calc(72px+env(safe-area-inset-bottom))]' : 'pb-[env(safe-area-inset-bottom)]'}`}
        >
          <Suspense fallback={<ScreenSkeleton />}>
            <Host path={shownPath} />
          </Suspense>
        </main>
        {/* The bar answers the tap at once, before the tab's screen is there. */}
        {hasTabBar && <TabBar path={withTabBar.includes(path) ? (target ?? path) : shownPath} />}
        {layers}
      </div>
    </ShownHash>
  )
}

// Elements that stay the same are not rendered again with the frame, so a tap on a tab is answered sooner.
const strips = (
  <>
    <OfflineStrip />
    <BehindStrip />
    <PracticeStrip />
    <ActingStrip />
  </>
)
const layers = (
  <>
    <Toasts />
    <Turn>
      <Suspense fallback={null}>
        <Layers />
      </Suspense>
    </Turn>
  </>
)
