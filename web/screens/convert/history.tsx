import type { WireConversion } from '@candor/core/protocol/wire/convert.ts'
import { ArrowRight } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Coin } from '../../parts/funds/coin.tsx'
import { Endless } from '../../parts/lists/endless.tsx'
import { Button } from '../../parts/ui/button.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { ExplainSheet } from '../../parts/proof/explain-later.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { Empty } from '../../parts/ui/state.tsx'
import { convert } from './api.ts'
import { conversionsKey } from './data.ts'
import { Outcome } from './outcome.tsx'

const pageSize = 20
/** A conversion that waits for the index is read again this often. */
const waitingMs = 1_000

/** The user's conversions, newest first. A tap shows everything about one. */
export function History() {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<string>()
  return (
    <section className="pt-2 pb-8">
      <h2 className="px-4 pb-1 text-17 font-semibold">{t('convert.history')}</h2>
      <Endless<WireConversion>
        queryKey={conversionsKey}
        page={(before) => convert.conversions({ limit: pageSize, ...(before === undefined ? {} : { before }) })}
        empty={<Empty text={t('convert.none')} />}
      >
        {(items) => <Rows items={items} opened={opened} onOpen={setOpened} />}
      </Endless>
    </section>
  )
}

function Rows({
  items,
  opened,
  onOpen,
}: {
  readonly items: readonly WireConversion[]
  readonly opened: string | undefined
  readonly onOpen: (id: string | undefined) => void
}) {
  const { t } = useTranslation()
  const isWaiting = items.some(({ state }) => state === 'accepted')
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => void queries.invalidateQueries({ queryKey: conversionsKey }), waitingMs)
    return () => clearInterval(timer)
  }, [isWaiting])
  const [asked, setAsked] = useState<string>()
  const shown = items.find(({ id }) => id === opened)
  return (
    <>
      <ul>
        {items.map((one) => (
          <li key={one.id}>
            <Row conversion={one} onOpen={() => onOpen(one.id)} />
          </li>
        ))}
      </ul>
      {shown !== undefined && (
        <Sheet isOpen onClose={() => onOpen(undefined)} title={t(`convert.state.${shown.state}`)}>
          <Outcome conversion={shown} />
          {shown.endedAt !== null && (
            <Button variant="soft" isWide onClick={() => setAsked(shown.id)}>
              {t('convert.why')}
            </Button>
          )}
        </Sheet>
      )}
      {asked !== undefined && (
        <Suspense fallback={null}>
          <ExplainSheet subject={{ kind: 'conversion', id: asked }} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
    </>
  )
}

const tones = { accepted: 'text-brand', filled: 'text-fg2', moved: 'text-warn', 'no-index': 'text-warn' } as const

function Row({
  conversion: { from, to, give, get, state, acceptedAt },
  onOpen,
}: {
  readonly conversion: WireConversion
  readonly onOpen: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const isVoid = state === 'moved' || state === 'no-index'
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onOpen}
      className="flex min-h-16 w-full flex-wrap items-center gap-x-3 px-4 py-2 text-start active:bg-s2"
    >
      <span aria-hidden className="flex shrink-0 -space-x-2.5">
        <Coin asset={from} size={28} />
        <Coin asset={to} size={28} />
      </span>
      <span className="flex min-w-32 flex-1 flex-col">
        <span className="flex items-center gap-1.5 text-15 font-semibold">
          {from}
          <ArrowRight size={14} strokeWidth={1.75} aria-hidden className="text-fg3" />
          {to}
        </span>
        <span className="flex flex-wrap gap-x-1.5 text-11 text-fg3">
          <span className={`font-medium ${tones[state]}`}>{t(`convert.state.${state}`)}</span>
          <time className="tn" dateTime={new Date(acceptedAt).toISOString()}>
            {format.dateTime(acceptedAt)}
          </time>
        </span>
      </span>
      <span className={`ms-auto flex flex-col items-end ${isVoid ? 'text-fg3' : ''}`}>
        <Amount value={get} asset={to} className="text-15 font-medium" />
        <Amount value={give} asset={from} className="text-12 text-fg3" />
      </span>
    </button>
  )
}
