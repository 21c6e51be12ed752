import type { WireOwnLimits, WireRest } from '@candor/core/protocol/wire/own-limits.ts'
import { useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { ProofGate } from '../../parts/account/proof-gate.tsx'
import { limitsQuery, riskyProducts, useLimits } from '../../parts/limits/limits.ts'
import { LossLine } from '../../parts/limits/loss-line.tsx'
import { queries } from '../../app/client.ts'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { ActionRow, Rows } from '../../parts/ui/row.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { CheckEverySheet } from './check-every.tsx'
import { LimitRow } from './limit-row.tsx'
import { RestSheet } from './rest-sheet.tsx'

/** The customer's own limits, breaks and reality checks, and how many accounts lose money. */
export function Screen() {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const own = useLimits()
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: limitsQuery })}>
      <PageHeader title={t('limits.title')} fallback="/me" />
      <div className="flex flex-col gap-5 pt-1 pb-8">
        {isVisitor && <LoginFirst text={t('limits.loginFirst')} next="/limits" />}
        {!isVisitor && own.data === undefined && (own.error === null ? <RowsSkeleton rows={6} /> : <Failure error={own.error} />)}
        {!isVisitor && own.data !== undefined && <Own own={own.data} />}
        <section className="mx-4 flex flex-col gap-2 rounded-card bg-s1 p-4 text-13 text-fg2">
          <h2 className="text-15 font-semibold text-fg">{t('limits.figures')}</h2>
          {riskyProducts.map((product) => (
            <LossLine key={product} product={product} />
          ))}
        </section>
      </div>
      <ProofGate />
    </Pull>
  )
}

function Own({ own }: { readonly own: WireOwnLimits }) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<'cool-off' | 'self-exclusion' | 'check'>()
  const close = (): void => setOpened(undefined)
  const losses = own.limits.filter(({ kind }) => kind.startsWith('loss'))
  const deposits = own.limits.filter(({ kind }) => kind.startsWith('deposit'))
  return (
    <>
      {own.rest !== null && <Resting rest={own.rest} />}
      <p className="px-5 text-13 text-fg2">{t('limits.lead')}</p>
      <Rows title={t('limits.losses')}>
        {losses.map((limit) => (
          <LimitRow key={limit.kind} limit={limit} own={own} />
        ))}
      </Rows>
      <p className="-mt-3 px-5 text-12 text-fg3">{t('limits.lossesHint')}</p>
      <Rows title={t('limits.deposits')}>
        {deposits.map((limit) => (
          <LimitRow key={limit.kind} limit={limit} own={own} />
        ))}
      </Rows>
      <p className="-mt-3 px-5 text-12 text-fg3">{t('limits.depositsHint')}</p>
      <Rows title={t('limits.time')}>
        {own.limits
          .filter(({ kind }) => kind === 'session-day')
          .map((limit) => (
            <LimitRow key={limit.kind} limit={limit} own={own} />
          ))}
        <ActionRow
          onClick={() => setOpened('check')}
          title={t('limits.check')}
          detail={t('limits.checkHint')}
          value={<span className="tn whitespace-nowrap">{t('limits.every', { value: own.checkEvery })}</span>}
        />
      </Rows>
      <Rows title={t('limits.breaks')}>
        <ActionRow onClick={() => setOpened('cool-off')} title={t('limits.coolOff')} detail={t('limits.coolOffHint')} />
        <ActionRow onClick={() => setOpened('self-exclusion')} title={t('limits.exclusion')} detail={t('limits.exclusionHint')} />
      </Rows>
      {(opened === 'cool-off' || opened === 'self-exclusion') && <RestSheet cause={opened} onClose={close} />}
      {opened === 'check' && <CheckEverySheet present={own.checkEvery} onClose={close} />}
    </>
  )
}

function Resting({ rest }: { readonly rest: WireRest }) {
  const { t } = useTranslation()
  const format = useFormats()
  const time = format.dateTime(rest.until)
  const words = {
    'cool-off': t('limits.resting', { time }),
    'self-exclusion': t('limits.restingExclusion', { time }),
    loss: t('limits.restingLoss', { time }),
    session: t('limits.restingSession', { time }),
  }
  return (
    <section role="status" className="mx-4 flex flex-col gap-1.5 rounded-card bg-warntint p-4">
      <p className="tn text-15 font-semibold">{words[rest.cause]}</p>
      <p className="text-13 text-fg2">{t('limits.stays')}</p>
    </section>
  )
}
