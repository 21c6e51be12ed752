import { Component, startTransition, useEffect, useLayoutEffect, useState, type ComponentType, type ReactNode } from 'react'
import { useTranslation } from './translate.ts'
import { Button } from '../parts/button.tsx'
import { ScreenSkeleton } from '../parts/skeleton.tsx'
import { keptScroll } from './location.ts'
import { load } from './routes.ts'

type Loaded = { readonly path: string; readonly Screen: ComponentType } | { readonly path: string; readonly error: unknown }

const known = new Map<string, ComponentType>()

/**
 * Shows a path's screen. A chunk that fails to load (the train went into the tunnel, a new version replaced the files)
 * leaves a retry; a second failure loads the page anew.
 */
export function ScreenHost({ path }: { readonly path: string }) {
  const [loaded, setLoaded] = useState<Loaded>()
  const [attempt, setAttempt] = useState(0)
  const cached = known.get(path)

  useEffect(() => {
    if (known.has(path)) return
    let isGone = false
    load(path).then(
      ({ Screen }) => {
        known.set(path, Screen)
        // Drawn in pieces, so that the frame answers to taps meanwhile.
        if (!isGone) startTransition(() => setLoaded({ path, Screen }))
      },
      (error: unknown) => {
        if (!isGone) setLoaded({ path, error })
      },
    )
    return () => {
      isGone = true
    }
  }, [path, attempt])

  if (cached !== undefined) {
    return (
      <Guard key={path}>
        <Scrolled path={path}>{render(cached)}</Scrolled>
      </Guard>
    )
  }
  if (loaded !== undefined && loaded.path === path && 'error' in loaded) {
    return <Broken onRetry={() => (attempt === 0 ? (setLoaded(undefined), setAttempt(1)) : location.reload())} />
  }
  return <ScreenSkeleton />
}

function render(Screen: ComponentType): ReactNode {
  return <Screen />
}

/** Going back shows what was seen before, going on starts at the top. */
function Scrolled({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  useLayoutEffect(() => {
    scrollTo(0, keptScroll())
  }, [path])
  return children
}

/** A fault while rendering takes down its screen only. */
class Guard extends Component<{ readonly children: ReactNode }, { readonly isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError(): { readonly isBroken: boolean } {
    return { isBroken: true }
  }

  override render(): ReactNode {
    return this.state.isBroken ? <Broken onRetry={() => this.setState({ isBroken: false })} /> : this.props.children
  }
}

function Broken({ onRetry }: { readonly onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <div role="alert" className="flex flex-1 flex-col items-center justify-center gap-3 px-8 py-24 text-center">
      <h1 className="text-17 font-semibold">{t('shell.screenFailed')}</h1>
      <p className="text-13 text-fg2">{t('shell.screenFailedHint')}</p>
      <Button variant="soft" onClick={onRetry}>
        {t('common.retry')}
      </Button>
    </div>
  )
}
