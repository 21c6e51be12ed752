import { Component, startTransition, useEffect, useLayoutEffect, useState, type ComponentType, type ReactNode } from 'react'
import { useTranslation } from '../app/translate.ts'
import { Button } from '../parts/ui/button.tsx'
import { ScreenSkeleton } from '../parts/ui/skeleton.tsx'
import { keptScroll } from '../app/location.ts'
import { load } from '../app/routes.ts'

type Loaded = { readonly path: string; readonly Screen: ComponentType } | { readonly path: string; readonly error: unknown }

const known = new Map<string, ComponentType>()

/**
 * Shows the screen of a path. If its file fails to load (no network, or a new version replaced the files), offers a retry: see
 * `again`.
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
        // A transition renders in pieces, so that the frame responds to taps meanwhile.
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

/** Restores the scroll position when going back; a new screen starts at the top. */
function Scrolled({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  useLayoutEffect(() => {
    scrollTo(0, keptScroll())
  }, [path])
  return children
}

/**
 * Reloads the page once the failed file can be fetched. A browser keeps a failed `import()` for the life of the page, so only a
 * reload helps. Until then the page stays, because a reload without a network may leave nothing.
 */
async function again(error: unknown): Promise<void> {
  const { href } = new URL(/https?:\/\/\S+/.exec(String(error))?.[0] ?? '/', location.href)
  const answer = await fetch(href, { cache: 'no-store' }).catch(() => undefined)
  // Any answer will do, even if the file is gone: the reloaded page names the files of the new version.
  if (answer !== undefined) location.reload()
}

/** Limits an error while rendering to its screen. After a failed file only a reload of the page helps. */
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

/** Whether an error is a failed `import()`: browsers differ in words, but all throw a TypeError that mentions a module. */
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
