import type { WireFirmShort } from '@candor/core/protocol/wire/firm/firm.ts'
import { useMutation } from '@tanstack/react-query'
import { Building2, ChevronRight, Plus, ShieldCheck, Users, WalletCards } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { firms, refreshFirms, useFirms, useRoleWords } from '../../parts/firm/data.ts'
import { Button } from '../../parts/ui/button.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure, FormError } from '../../parts/ui/state.tsx'
import { ApplySheet } from './apply-sheet.tsx'
import { StateChip } from './chips.tsx'

const icon = { size: 20, strokeWidth: 1.75 } as const

/** The person's firms and invitations, and what a firm offers. */
export function FirmList() {
  const { t } = useTranslation()
  const list = useFirms()
  const [isApplying, setIsApplying] = useState(false)
  return (
    <>
      <PageHeader title={t('firm.title')} fallback="/me" />
      <p className="px-4 pb-3 text-13 text-fg2">{t('firm.lead')}</p>
      {list.data === undefined ? (
        list.error === null ? (
          <RowsSkeleton rows={3} />
        ) : (
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        )
      ) : (
        <div className="flex flex-col gap-3 px-4 pb-8">
          {list.data.firms.map((firm) =>
            firm.memberState === 'invited' ? <Invitation key={firm.id} firm={firm} /> : <FirmCard key={firm.id} firm={firm} />,
          )}
          {list.data.firms.length === 0 && <Offer />}
          <Button isWide variant={list.data.firms.length === 0 ? 'primary' : 'soft'} onClick={() => setIsApplying(true)}>
            <Plus size={18} strokeWidth={2} aria-hidden />
            {t('firm.apply')}
          </Button>
        </div>
      )}
      {isApplying && <ApplySheet onClose={() => setIsApplying(false)} />}
    </>
  )
}

function FirmCard({ firm }: { readonly firm: WireFirmShort }) {
  const { t } = useTranslation()
  const roles = useRoleWords()
  return (
    <a href={`#/organization?firm=${firm.id}`} className="flex items-center gap-3 rounded-card bg-s1 p-4 active:bg-s2">
      <span aria-hidden className="flex size-11 shrink-0 items-center justify-center rounded-full bg-brandtint text-brand">
        <Building2 {...icon} />
      </span>
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="text-15 font-semibold break-words">{firm.name}</span>
        <span className="text-12 text-fg2">
          {roles[firm.role].name}
          {firm.state === 'active' && ` · ${t('firm.accountCount', { count: firm.accounts.length })}`}
        </span>
      </span>
      {firm.state !== 'active' && <StateChip state={firm.state} />}
      <ChevronRight size={18} strokeWidth={1.75} aria-hidden className="shrink-0 text-fg3" />
    </a>
  )
}

/** An invitation is only taken after a look at who asks and for what. */
function Invitation({ firm: { id, name, role } }: { readonly firm: WireFirmShort }) {
  const { t } = useTranslation()
  const roles = useRoleWords()
  const answer = useMutation({
    mutationFn: async (isAccepted: boolean): Promise<unknown> => (isAccepted ? firms.accept(id) : firms.decline(id)),
    onSettled: refreshFirms,
  })
  return (
    <section className="flex flex-col gap-3 rounded-card bg-brandtint p-4">
      <h2 className="text-15 font-semibold">{t('firm.invited', { firm: name })}</h2>
      <p className="text-13">{t('firm.invitedAs', { role: roles[role].name, may: roles[role].hint })}</p>
      <FormError error={answer.error} />
      <div className="flex flex-wrap gap-2">
        <Button variant="soft" size="medium" className="flex-1" isBusy={answer.isPending} onClick={() => answer.mutate(false)}>
          {t('firm.decline')}
        </Button>
        <Button size="medium" className="flex-1" isBusy={answer.isPending} onClick={() => answer.mutate(true)}>
          {t('firm.accept')}
        </Button>
      </div>
    </section>
  )
}

function Offer() {
  const { t } = useTranslation()
  const points = [
    [Users, t('firm.offerMembers')],
    [WalletCards, t('firm.offerAccounts')],
    [ShieldCheck, t('firm.offerRule')],
  ] as const
  return (
    <ul className="flex flex-col gap-4 rounded-card bg-s1 p-4">
      {points.map(([Icon, text]) => (
        <li key={text} className="flex items-start gap-3 text-13 text-fg2">
          <Icon {...icon} aria-hidden className="shrink-0 text-brand" />
          {text}
        </li>
      ))}
    </ul>
  )
}
