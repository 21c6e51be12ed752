import type { WireDeletion } from '@candor/core/protocol/wire/deletion.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { navigate, usePlace } from '../../app/location.ts'
import { problemOf } from '../../app/problem.ts'
import { signedOut, useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { withProof } from '../../parts/account/proof.ts'
import { ProofGate } from '../../parts/account/proof-gate.tsx'
import { safety } from '../../parts/account/safety.ts'
import { Check } from '../../parts/fields/field.tsx'
import { download } from '../../parts/lists/csv.ts'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { ConfirmSheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure, FormError, LoginFirst } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { countsOf, isEmpty } from './remains.ts'

/** The deletion of the account: what is erased, what is kept and why, and what is still in the way. */
export function Screen() {
  const { t } = useTranslation()
  const { query } = usePlace()
  const isCustomer = useMe() !== undefined
  const due = Number(query.get('due') ?? '0')
  return (
    <>
      <PageHeader title={t('deletion.title')} fallback="/safety" />
      {!isCustomer &&
        (Number.isSafeInteger(due) && due > 0 ? <Done dueAt={due} /> : <LoginFirst text={t('deletion.loginFirst')} next="/deletion" />)}
      {isCustomer && <Own />}
    </>
  )
}

/** After the request: when the account is erased. */
function Done({ dueAt }: { readonly dueAt: number }) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <div className="flex flex-1 flex-col gap-3 px-4 pt-6 pb-8">
      <h2 className="text-22 font-semibold">{t('deletion.doneTitle')}</h2>
      <p className="text-15 text-fg2">{t('deletion.done', { date: format.date(dueAt) })}</p>
      <ButtonLink to="/" variant="soft" className="mt-4">
        {t('common.back')}
      </ButtonLink>
    </div>
  )
}

function Own() {
  const query = useQuery({ queryKey: ['own', 'deletion'], queryFn: () => safety.deletion(), staleTime: 0 })
  if (query.data === undefined)
    return query.error === null ? <RowsSkeleton rows={6} /> : <Failure error={query.error} onRetry={() => void query.refetch()} />
  return <Form state={query.data} />
}

function Form({ state }: { readonly state: WireDeletion }) {
  const { t } = useTranslation()
  const [givesUp, setGivesUp] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  const ask = useMutation({
    mutationFn: () => withProof(() => safety.requestDeletion({ givesUp })),
    onSuccess: ({ dueAt }) => {
      navigate(`/deletion?due=${dueAt}`, { replace: true })
      signedOut()
    },
    onSettled: () => setIsAsking(false),
  })
  return (
    <div className="flex flex-col gap-5 px-4 pt-1 pb-8">
      <p className="text-15 text-fg2">{t('deletion.lead')}</p>
      <Part title={t('deletion.erasedTitle')} texts={[t('deletion.erased')]} />
      <Part title={t('deletion.keptTitle')} texts={[t('deletion.keptMoney'), t('deletion.keptPapers'), t('deletion.keptAgreement')]} />
      <Remains state={state} />
      {state.mayGiveUp && state.remains.length > 0 && (
        <Check isOn={givesUp} onChange={setGivesUp}>
          {t('deletion.giveUp')}
        </Check>
      )}
      <SaveData />
      <FormError error={ask.error} />
      <Button variant="danger" isWide disabled={!isEmpty(state, givesUp)} onClick={() => setIsAsking(true)}>
        {t('deletion.delete')}
      </Button>
      <ConfirmSheet
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => ask.mutate()}
        isBusy={ask.isPending}
        title={t('deletion.ask')}
        confirm={t('deletion.delete')}
        tone="danger"
        note={t('deletion.note')}
      />
      <ProofGate />
    </div>
  )
}

function Part({ title, texts }: { readonly title: string; readonly texts: readonly string[] }) {
  return (
    <section className="flex flex-col gap-2 rounded-card bg-s1 p-4">
      <h2 className="text-15 font-semibold">{title}</h2>
      {texts.map((text) => (
        <p key={text} className="text-13 text-fg2">
          {text}
        </p>
      ))}
    </section>
  )
}

function Remains({ state }: { readonly state: WireDeletion }) {
  const { t } = useTranslation()
  const format = useFormats()
  const names = {
    openOrders: t('deletion.openOrders'),
    algos: t('deletion.algos'),
    positions: t('deletion.positions'),
    loans: t('deletion.loans'),
    claims: t('deletion.claims'),
    options: t('deletion.options'),
    debts: t('deletion.debts'),
    withdrawals: t('deletion.withdrawals'),
    presales: t('deletion.presales'),
  }
  const counts = countsOf(state)
  const hasAny = counts.length + state.remains.length > 0
  return (
    <section className="flex flex-col gap-1 rounded-card bg-s1 p-4">
      <h2 className="text-15 font-semibold">{t('deletion.remainsTitle')}</h2>
      <p className="text-13 text-fg2">{hasAny ? t('deletion.remainsLead') : t('deletion.empty')}</p>
      {hasAny && (
        <dl>
          {counts.map(([name, count]) => (
            <SummaryRow key={name} label={names[name]}>
              {String(count)}
            </SummaryRow>
          ))}
          {state.remains.map(({ kind, asset, amount }) => (
            <SummaryRow key={`${kind} ${asset}`} label={t(`accounts.name.${kind}`)}>
              {format.sum(amount, asset, true)} {asset}
            </SummaryRow>
          ))}
        </dl>
      )}
      {state.deposits > 0 && <p className="pt-2 text-13 text-pretty text-fg2">{t('deletion.deposits', { count: state.deposits })}</p>}
    </section>
  )
}

function SaveData() {
  const { t } = useTranslation()
  const save = useMutation({
    mutationFn: () => withProof(() => safety.myData()),
    onSuccess: (data) => {
      download('my-data.json', JSON.stringify(data, null, 2))
      toast({ text: t('deletion.dataSaved') })
    },
    onError: (error) => toast({ text: problemOf(error, t).text, tone: 'bad' }),
  })
  return (
    <div className="flex flex-col gap-1.5">
      <Button variant="soft" size="medium" isWide isBusy={save.isPending} onClick={() => save.mutate()}>
        {t('deletion.data')}
      </Button>
      <p className="text-12 text-fg2">{t('deletion.dataHint')}</p>
    </div>
  )
}
