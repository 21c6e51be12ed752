import type { WireKey } from '@candor/core/protocol/wire/keys.ts'
import type { WireSignal, WireSignalMade } from '@candor/core/protocol/wire/own/signals.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Kept, MakingSheet } from '../../parts/keys/making-sheet.tsx'
import { Button } from '../../parts/ui/button.tsx'
import { ConfirmSheet, Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { keys, signalQuery } from './data.ts'
import { SignalFields } from './signal-fields.tsx'
import { draftOf, type SignalField, termsOf, wrongFields } from './signal-form.ts'
import { SignalLog } from './signal-log.tsx'
import { SignalTrial } from './signal-trial.tsx'

type Aside = 'make' | 'change' | 'on' | 'off'

/** The signal address of a key: its switch, limits, a trial of alerts, and what came. */
export function SignalSheet({ apiKey, onClose }: { readonly apiKey: WireKey; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const [aside, setAside] = useState<Aside>()
  const { id } = apiKey
  const state = useQuery({ queryKey: signalQuery(id), queryFn: () => keys.signal(id) })
  const signal = state.data?.signal
  const canTrade = apiKey.scopes.includes('trade')
  const back = (): void => setAside(undefined)
  return (
    <>
      <Sheet
        isOpen={aside === undefined}
        onClose={() => aside === undefined && onClose()}
        title={t('signals.title')}
        footer={
          state.data !== undefined &&
          signal === undefined && (
            <Button isWide disabled={!canTrade} onClick={() => setAside('make')}>
              {t('signals.turnOn')}
            </Button>
          )
        }
      >
        <div className="flex flex-col gap-4">
          <p className="text-13 text-fg2">{t('signals.lead')}</p>
          {state.data === undefined && (state.error === null ? <RowsSkeleton rows={3} /> : <Failure error={state.error} isSmall />)}
          {state.data !== undefined && signal === undefined && (
            <p className="rounded-control bg-s2 px-3 py-2.5 text-13 text-fg">{canTrade ? t('signals.never') : t('signals.needsTrade')}</p>
          )}
          {signal !== undefined && <Details id={id} signal={signal} onAside={setAside} />}
        </div>
      </Sheet>
      {/* Each opening begins with the terms of the moment, and shows its result although these have changed then. */}
      {aside === 'make' && <MakeSheet id={id} signal={signal} isOpen onClose={back} />}
      {aside === 'change' && <ChangeSheet id={id} signal={signal} isOpen onClose={back} />}
      <OnSheet id={id} isOpen={aside === 'on'} onClose={back} />
      <OffSheet id={id} isOpen={aside === 'off'} onClose={back} />
    </>
  )
}

function Details({ id, signal, onAside }: { readonly id: string; readonly signal: WireSignal; readonly onAside: (aside: Aside) => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { isOn, symbols, maxQuote, perMinute, perDay, maxAgeSeconds, ips, madeAt } = signal
  return (
    <>
      <p className={`rounded-control px-3 py-2.5 text-13 text-fg ${isOn ? 'bg-brandtint' : 'bg-warntint'}`}>
        {isOn ? t('signals.isOn') : t('signals.isOff')}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="soft" size="medium" className="flex-1" onClick={() => onAside(isOn ? 'off' : 'on')}>
          {isOn ? t('signals.turnOff') : t('signals.turnOn')}
        </Button>
        <Button variant="soft" size="medium" className="flex-1" onClick={() => onAside('change')}>
          {t('signals.edit')}
        </Button>
        <Button variant="soft" size="medium" className="flex-1" onClick={() => onAside('make')}>
          {t('signals.renew')}
        </Button>
      </div>
      <dl>
        <SummaryRow label={t('signals.markets')}>{symbols.join(', ')}</SummaryRow>
        <SummaryRow label={t('signals.size')}>{format.number(maxQuote)}</SummaryRow>
        <SummaryRow label={t('signals.perMinute')}>{perMinute}</SummaryRow>
        <SummaryRow label={t('signals.perDay')}>{perDay}</SummaryRow>
        <SummaryRow label={t('signals.age')}>{maxAgeSeconds}</SummaryRow>
        <SummaryRow label={t('signals.ips')}>{ips.length === 0 ? t('apikeys.anywhere') : ips.join(', ')}</SummaryRow>
        <SummaryRow label={t('signals.madeAt')}>{format.dateTime(madeAt)}</SummaryRow>
      </dl>
      <SignalTrial id={id} signal={signal} />
      <SignalLog id={id} />
    </>
  )
}

type AsideProps = { readonly id: string; readonly isOpen: boolean; readonly onClose: () => void }
type FormProps = AsideProps & { readonly signal: WireSignal | undefined }

/** A new address, which is shown once. */
function MakeSheet({ id, signal, isOpen, onClose }: FormProps) {
  const { t } = useTranslation()
  const words = useWords()
  return (
    <MakingSheet
      isOpen={isOpen}
      onClose={onClose}
      words={{
        ...words,
        title: signal === undefined ? t('signals.title') : t('signals.renew'),
        send: signal === undefined ? t('signals.turnOn') : t('signals.renew'),
        made: t('signals.made'),
        done: (_made: WireSignalMade) => t('apikeys.saved'),
      }}
      empty={draftOf(signal)}
      problemsOf={wrongFields}
      make={(draft) => keys.makeSignal(id, { terms: termsOf(draft), password: draft.password })}
      stale={signalQuery(id)}
      fields={(form) => (
        <>
          {signal !== undefined && <p className="text-13 text-fg2">{t('signals.renewHint')}</p>}
          <SignalFields {...form} />
        </>
      )}
      shown={({ path }) => (
        <Kept warning={t('signals.addressOnce')} texts={[{ label: t('signals.address'), text: window.location.origin + path }]} />
      )}
    />
  )
}

function ChangeSheet({ id, signal, isOpen, onClose }: FormProps) {
  const { t } = useTranslation()
  const words = useWords()
  return (
    <MakingSheet
      isOpen={isOpen}
      onClose={onClose}
      words={{ ...words, title: t('signals.edit'), send: t('signals.edit'), made: t('signals.edit'), done: () => t('common.done') }}
      empty={draftOf(signal)}
      problemsOf={wrongFields}
      make={(draft) => keys.changeSignal(id, { terms: termsOf(draft), password: draft.password })}
      stale={signalQuery(id)}
      fields={(form) => <SignalFields {...form} />}
      shown={() => <p className="text-13 text-fg2">{t('signals.changed')}</p>}
    />
  )
}

/** The address as it was works again. */
function OnSheet({ id, isOpen, onClose }: AsideProps) {
  const { t } = useTranslation()
  const words = useWords()
  return (
    <MakingSheet
      isOpen={isOpen}
      onClose={onClose}
      words={{ ...words, title: t('signals.turnOn'), send: t('signals.turnOn'), made: t('signals.isOn'), done: () => t('common.done') }}
      empty={{ password: '' }}
      problemsOf={({ password }) => new Set<SignalField & 'password'>(password === '' ? ['password'] : [])}
      make={({ password }) => keys.changeSignal(id, { isOn: true, password })}
      stale={signalQuery(id)}
      fields={() => <p className="text-13 text-fg2">{t('signals.onHint')}</p>}
      shown={() => <p className="text-13 text-fg2">{t('signals.isOn')}</p>}
    />
  )
}

function OffSheet({ id, isOpen, onClose }: AsideProps) {
  const { t } = useTranslation()
  const off = useMutation({
    mutationFn: () => keys.changeSignal(id, { isOn: false }),
    onSuccess: () => {
      onClose()
      toast({ text: t('signals.isOff'), tone: 'good' })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: signalQuery(id) }),
  })
  return (
    <ConfirmSheet
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => off.mutate()}
      isBusy={off.isPending}
      title={t('signals.offAsk')}
      confirm={t('signals.turnOff')}
      tone="danger"
      note={t('signals.offHint')}
      error={off.error}
    />
  )
}

function useWords() {
  const { t } = useTranslation()
  return { password: t('apikeys.password'), passwordHint: t('apikeys.passwordHint'), passwordMissing: t('apikeys.passwordMissing') }
}
