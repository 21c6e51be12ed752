/**
 * Components whose file is loaded when they are first shown. If it can't be loaded, they say so in their own place, with a retry;
 * the screen around them and everything typed there stay.
 */
import { Component, type ComponentType, lazy, type ReactNode, useEffect, useRef, useState } from 'react'
import { again, isOfFile } from '../../app/files.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from './button.tsx'
import { Sheet } from './sheet.tsx'

type Load<Props> = () => Promise<ComponentType<Props>>
type Frame = { readonly isOpen: boolean; readonly onClose: () => void }
type Retry = { readonly onRetry: () => Promise<void> }

/** A part of a screen or of a sheet. `load` resolves to the component when its file and its texts are there. */
export function later<Props extends object>(load: Load<Props>): ComponentType<Props> {
  return laterOr(load, ({ onRetry }) => <PartFailed onRetry={onRetry} />)
}

/** A sheet that is open as long as it is shown. */
export function laterSheet<Props extends { readonly onClose: () => void }>(load: Load<Props>): ComponentType<Props> {
  return laterOr(load, ({ props: { onClose }, onRetry }) => <SheetFailed isOpen onClose={onClose} onRetry={onRetry} />)
}

/** Sheets that are also there while they are closed. `frameOf` tells from their props whether one is open, and how to close it. */
export function laterSheets<Props extends object>(load: Load<Props>, frameOf: (props: Props) => Frame): ComponentType<Props> {
  return laterOr(load, ({ props, onRetry }) => <SheetFailed {...frameOf(props)} onRetry={onRetry} />)
}

function laterOr<Props extends object>(load: Load<Props>, Failed: ComponentType<Retry & { readonly props: Props }>): ComponentType<Props> {
  const start = (): ComponentType<Props> => lazy(async () => ({ default: await load() }))
  let current = start()
  return function Later(props: Props) {
    const [Shown, setShown] = useState(() => current)
    const retry = async (error: unknown): Promise<void> => {
      const loaded = await again(error, load)
      current = loaded
      setShown(() => loaded)
    }
    return (
      <FileGuard
        retry={retry}
        // React keeps a failure, so the next one that is shown starts anew.
        onGone={() => (current = start())}
        failed={(onRetry) => <Failed props={props} onRetry={onRetry} />}
      >
        <Shown {...props} />
      </FileGuard>
    )
  }
}

type GuardProps = {
  readonly retry: (error: unknown) => Promise<void>
  readonly onGone: () => void
  readonly failed: (onRetry: () => Promise<void>) => ReactNode
  readonly children: ReactNode
}

/** Shows `failed` in place of children whose file can't be loaded. Other errors are the screen's. */
class FileGuard extends Component<GuardProps, { readonly error: unknown }> {
  override state = { error: undefined as unknown }

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error: error ?? new Error('a part threw nothing') }
  }

  override componentWillUnmount(): void {
    if (this.state.error !== undefined) this.props.onGone()
  }

  #retry = async (): Promise<void> => {
    try {
      await this.props.retry(this.state.error)
      this.setState({ error: undefined })
    } catch (error) {
      this.setState({ error })
    }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (!isOfFile(error)) throw error
    return this.props.failed(this.#retry)
  }
}

function PartFailed({ onRetry }: Retry) {
  const { t } = useTranslation()
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-2 py-4 text-center">
      <p className="text-13 text-fg2">{t('shell.partFailed')}</p>
      <RetryButton onRetry={onRetry} size="small" />
    </div>
  )
}

function SheetFailed({ isOpen, onClose, onRetry }: Frame & Retry) {
  const { t } = useTranslation()
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    // The file was loaded before anybody asked for the sheet, so to open it is the first retry.
    if (isOpen && !wasOpen.current) void onRetry()
    wasOpen.current = isOpen
  }, [isOpen, onRetry])
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('shell.partFailed')} footer={<RetryButton onRetry={onRetry} isWide />}>
      <p role="alert" className="text-13 text-fg2">
        {t('shell.screenFailedHint')}
      </p>
    </Sheet>
  )
}

/** *Try again*, busy while the file is on its way. */
export function RetryButton({ onRetry, ...look }: Retry & { readonly size?: 'small' | 'medium'; readonly isWide?: boolean }) {
  const { t } = useTranslation()
  const [isTrying, setTrying] = useState(false)
  const retry = async (): Promise<void> => {
    setTrying(true)
    await onRetry()
    setTrying(false)
  }
  return (
    <Button variant="soft" isBusy={isTrying} onClick={() => void retry()} {...look}>
      {t('common.retry')}
    </Button>
  )
}
