import { Component, memo, startTransition, useEffect, useLayoutEffect, useState, type ComponentType, type ReactNode } from 'react'
import { again } from '../app/files.ts'
import { keptScroll } from '../app/location.ts'
import { load, loadedScreen } from '../app/routes.ts'
import { useTranslation } from '../app/translate.ts'
import { RetryButton } from '../parts/ui/later.tsx'
import { ScreenSkeleton } from '../parts/ui/skeleton.tsx'

type Loaded = { readonly path: string; readonly Screen: ComponentType } | { readonly path: string; readonly error: unknown }

/** Shows the screen of a path. If its file fails to load (no network, or a new version replaced the files), offers a retry. */
export const ScreenHost = memo(function ScreenHost({ path }: { readonly path: string }) {
  const [loaded, setLoaded] = useState<Loaded>()
  const cached = loadedScreen(path)
  const isCached = cached !== undefined

  useEffect(() => {
    // What this render has shown counts: the file may have come between the render and now.
    if (isCached) return
    let isGone = false
    load(path).then(
      // A transition renders in pieces, so that the frame responds to taps meanwhile.
      (Screen) => !isGone && startTransition(() => setLoaded({ path, Screen })),
      (error: unknown) => !isGone && setLoaded({ path, error }),
    )
    return () => {
      isGone = true
    }
  }, [path, isCached])

  if (cached !== undefined) {
    return (
      <Guard key={path}>
        <Scrolled path={path}>{render(cached)}</Scrolled>
      </Guard>
    )
  }
  if (loaded !== undefined && loaded.path === path && 'error' in loaded) {
    const retry = async (): Promise<void> => {
      const result = await again(loaded.error, () => load(path)).then(
        (Screen): Loaded => ({ path, Screen }),
        (error: unknown): Loaded => ({ path, error }),
      )
      // Unless another screen was opened meanwhile.
      setLoaded((now) => (now?.path === path ? result : now))
    }
    return <Broken onRetry={retry} />
  }
  return <ScreenSkeleton />
})

function render(Screen: ComponentType): ReactNode {
  return <Screen />
}

/** Restores the scroll position when going back; a new screen starts at the top. */
function Scrolled({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  useLayoutEffect(() => {
    scrollTo(0, keptScroll())
  }, [path])
  return children
}

/** Limits an error while rendering to its screen. Parts whose file fails to load say so in their own place. */
class Guard extends Component<{ readonly children: ReactNode }, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return <Broken onRetry={async () => this.setState({ hasFailed: false })} />
  }
}

function Broken({ onRetry }: { readonly onRetry: () => Promise<void> }) {
  const { t } = useTranslation()
  return (
    <div role="alert" className="flex flex-1 flex-col items-center justify-center gap-3 px-8 py-24 text-center">
      <h1 className="text-17 font-semibold">{t('shell.screenFailed')}</h1>
      <p className="text-13 text-fg2">{t('shell.screenFailedHint')}</p>
      <RetryButton onRetry={onRetry} />
    </div>
  )
}
