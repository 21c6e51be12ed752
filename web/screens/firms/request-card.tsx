import { type FirmRole, firmRoles, type WireFirm } from '@candor/core/protocol/wire/firm/firm.ts'
import type { WireFirmRequest, WireFirmVerdict } from '@candor/core/protocol/wire/firm/requests.ts'
import { useMutation } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { withProof } from '../../parts/account/proof.ts'
import { GroupedAddress } from '../../parts/addresses/grouped.tsx'
import { refreshFirms, requests, useRoleWords } from '../../parts/firm/data.ts'
import { Button } from '../../parts/ui/button.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { RequestChip } from './chips.tsx'
import { useRuleWords } from './words.ts'

type Props = { readonly firm: WireFirm; readonly request: WireFirmRequest }
type Verdict = 'approve' | 'refuse' | 'cancel'

/** A request with all that is decided about, how many have said yes, and the reader's buttons. */
export function RequestCard({ firm, request }: Props) {
  const { t } = useTranslation()
  const format = useFormats()
  const [asking, setAsking] = useState<Verdict>()
  const { askedBy, askedAt, expiresAt, state, people, verdicts, canApprove, canRefuse, canCancel } = request
  const yes = verdicts.filter(({ isApproved }) => isApproved).length
  const decide = useMutation({
    mutationFn: (verdict: Verdict) => withProof((): Promise<unknown> => requests[verdict](firm.id, request.id)),
    onSuccess: (_, verdict) => {
      const said = { approve: t('firm.saidYes'), refuse: t('firm.saidNo'), cancel: t('firm.tookBack') }
      toast({ text: said[verdict], tone: 'good' })
    },
    onSettled: () => {
      setAsking(undefined)
      void refreshFirms()
    },
  })
  const button = (verdict: Verdict, text: string, variant: 'primary' | 'soft' | 'danger') => (
    <Button
      size="medium"
      variant={asking === verdict ? (verdict === 'approve' ? 'primary' : 'danger') : variant}
      className="flex-1"
      isBusy={decide.isPending && decide.variables === verdict}
      disabled={decide.isPending && decide.variables !== verdict}
      onClick={() => (asking === verdict ? decide.mutate(verdict) : setAsking(verdict))}
    >
      {asking === verdict ? t('firm.really', { what: text }) : text}
    </Button>
  )
  return (
    <section className="flex flex-col gap-3 rounded-card bg-s1 p-4">
      <div className="flex items-start justify-between gap-3">
        <Heading request={request} />
        <RequestChip state={state} />
      </div>
      <Details request={request} />
      <p className="text-12 text-fg2">{t('firm.askedBy', { name: askedBy, time: format.dateTime(askedAt) })}</p>
      <Votes verdicts={verdicts} yes={yes} people={people} isOpen={state === 'open'} />
      {state === 'open' && <p className="text-12 text-fg3">{t('firm.until', { time: format.dateTime(expiresAt) })}</p>}
      {request.reason !== undefined && <p className="text-13 text-danger">{t('firm.because', { why: request.reason })}</p>}
      <FormError error={decide.error} />
      {(canApprove || canCancel) && (
        <div className="flex flex-wrap gap-2">
          {canCancel && button('cancel', t('firm.takeBack'), 'soft')}
          {canRefuse && button('refuse', t('firm.refuse'), 'soft')}
          {canApprove && button('approve', t('firm.approve'), 'primary')}
        </div>
      )}
    </section>
  )
}

function Heading({ request }: Pick<Props, 'request'>) {
  const { t } = useTranslation()
  const format = useFormats()
  const text = (): string => {
    switch (request.kind) {
      case 'withdrawal':
        return t('firm.kind.withdrawal', {
          amount: `${format.sum(request.withdrawal.amount, request.withdrawal.asset, true)} ${request.withdrawal.asset}`,
        })
      case 'address':
        return t('firm.kind.address', { name: request.address.label })
      case 'rule':
        return t('firm.kind.rule')
      case 'member': {
        const { name = '', label } = request.shown
        const named = label === undefined ? name : `${name} → ${label}`
        return t(request.member.role === null ? 'firm.kind.memberEnds' : 'firm.kind.member', { name: named })
      }
    }
  }
  return <h2 className="min-w-0 text-15 font-semibold break-words">{text()}</h2>
}

function Details({ request }: Pick<Props, 'request'>) {
  const { t } = useTranslation()
  const format = useFormats()
  const roles = useRoleWords()
  const ruleWords = useRuleWords()
  const { destination, networkLabel, label, uid, before } = request.shown
  if (request.kind === 'rule')
    return (
      <ul className="flex flex-col gap-1 text-13">
        {ruleWords(request.rule).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    )
  if (request.kind === 'member') {
    const { role } = request.member
    const names = [...(isRole(before) ? [before] : []), ...(role === null ? [] : [role])].map((one) => roles[one].name)
    return (
      <p className="text-13 text-fg2">
        {uid !== undefined && <span className="tn block">{`UID ${uid}`}</span>}
        <span className="block">{names.join(' → ')}</span>
        {role === null ? t('firm.endsAtOnce') : roles[role].hint}
      </p>
    )
  }
  return (
    <div className="flex flex-col gap-1.5 text-13">
      <span className="text-fg2">{request.kind === 'withdrawal' ? `${networkLabel} · ${label}` : networkLabel}</span>
      {destination !== undefined && <GroupedAddress address={destination} className="text-13" />}
      {request.kind === 'address' && request.address.exchange !== undefined && (
        <span className="break-words text-fg2">{[request.address.exchange, request.address.beneficiary].join(' · ')}</span>
      )}
      {request.kind === 'withdrawal' && (
        <span className="text-fg2">
          {t('firm.feeOf', { fee: `${format.sum(request.withdrawal.fee, request.withdrawal.asset, true)} ${request.withdrawal.asset}` })}
        </span>
      )}
    </div>
  )
}

const isRole = (name: string | undefined): name is FirmRole => firmRoles.some((role) => role === name)

type VotesProps = {
  readonly verdicts: readonly WireFirmVerdict[]
  readonly yes: number
  readonly people: number
  readonly isOpen: boolean
}

function Votes({ verdicts, yes, people, isOpen }: VotesProps) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-center gap-2">
        <span aria-hidden className="flex flex-1 gap-1">
          {Array.from({ length: people }, (_, n) => (
            <span key={n} className={`h-1.5 flex-1 rounded-full ${n < yes ? 'bg-brand' : 'bg-s3'}`} />
          ))}
        </span>
        <span className="tn text-12 text-fg2">{t('firm.votes', { yes, people })}</span>
      </div>
      {(verdicts.length > 0 || !isOpen) && (
        <ul className="flex flex-wrap gap-x-3 gap-y-1 text-12 text-fg2">
          {verdicts.map(({ member, label, isApproved }) => (
            <li key={member} className="inline-flex items-center gap-1">
              {isApproved ? (
                <Check size={14} strokeWidth={2} aria-label={t('firm.yes')} className="text-brand" />
              ) : (
                <X size={14} strokeWidth={2} aria-label={t('firm.no')} className="text-danger" />
              )}
              {label}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
