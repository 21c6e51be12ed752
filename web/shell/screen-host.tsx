import { Component, startTransition, useEffect, useLayoutEffect, useState, type ComponentType, type ReactNode } from 'react'
import { useTranslation } from '../app/translate.ts'
import { Button } from '../parts/ui/button.tsx'
import { ScreenSkeleton } from '../parts/ui/skeleton.tsx'
import { keptScroll } from '../app/location.ts'
import { load } from '../app/routes.ts'

type Loaded = { readonly path: string; readonly Screen: ComponentType } | { readonly path: string; readonly error: unknown }

const known = new Map<string, ComponentType>()

/**
 * Shows a path's screen. A file that fails to come (the train went into the tunnel, a new version replaced the files)
 * leaves a retry: see `again`.
 */
export function ScreenHost({ path }: { readonly path: string }) {
  const [loaded, setLoaded] = useState<Loaded>()
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
  }, [path])

  if (cached !== undefined) {
    return (
      <Guard key={path}>
        <Scrolled path={path}>{render(cached)}</Scrolled>
      </Guard>
    )
  }
  if (loaded !== undefined && loaded.path === path && 'error' in loaded) {
    return <Broken onRetry={() => again(loaded.error)} />
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

/**
 * Loads the page anew once the file that failed can be fetched: a browser keeps a failed `import()` for the life of the page,
 * so nothing less can succeed. While the file can't be fetched the page stays: without a network a reload may leave nothing.
 */
async function again(error: unknown): Promise<void> {
  const { href } = new URL(/https?:\/\/\S+/.exec(String(error))?.[0] ?? '/', location.href)
  const answer = await fetch(href, { cache: 'no-store' }).catch(() => undefined)
  // Also when the file is gone: the page that comes names the files of the new version.
  if (answer !== undefined) location.reload()
}

/** A fault while rendering takes down its screen only. Where a file failed to come, only a new load of the page helps. */
class Guard extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state = { error: undefined as unknown }

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error: error ?? new Error('a screen threw nothing') }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <Broken onRetry={() => (isFileMissing(error) ? again(error) : this.setState({ error: undefined }))} />
  }
}

/** Each browser has its own words for a failed `import()`; all of them throw a TypeError that speaks of a module. */
function isFileMissing(error: unknown): boolean {
  return error instanceof TypeError && /module/i.test(error.message)
}

function Broken({ onRetry }: { readonly onRetry: () => Promise<void> | void }) {
  const { t } = useTranslation()
  const [isTrying, setTrying] = useState(false)
  const retry = async (): Promise<void> => {
    setTrying(true)
    await onRetry()
    setTrying(false)
  }
  return (
    <div role="alert" className="flex flex-1 flex-col items-center justify-center gap-3 px-8 py-24 text-center">
      <h1 className="text-17 font-semibold">{t('shell.screenFailed')}</h1>
      <p className="text-13 text-fg2">{t('shell.screenFailedHint')}</p>
      <Button variant="soft" isBusy={isTrying} onClick={() => void retry()}>
        {t('common.retry')}
      </Button>
    </div>
  )
}
