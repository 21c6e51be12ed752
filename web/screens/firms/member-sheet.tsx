import { type FirmRole, firmNameMax, rightsOf, type WireFirm, type WireFirmMember } from '@candor/core/protocol/wire/firm/firm.ts'
import type { WireFirmMemberWish } from '@candor/core/protocol/wire/firm/requests.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { withProof } from '../../parts/account/proof.ts'
import { Check, Field } from '../../parts/fields/field.tsx'
import { firms, refreshFirms, useAsk, useRoleWords } from '../../parts/firm/data.ts'
import { Button } from '../../parts/ui/button.tsx'
import { ChoiceRow } from '../../parts/ui/row.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'

type Role = Exclude<FirmRole, 'owner'>
type Draft = { readonly uid: string; readonly label: string; readonly role: Role; readonly accounts: readonly string[] | null }

const roles = ['admin', 'treasurer', 'trader', 'viewer'] as const
const approves = (role: FirmRole): boolean => rightsOf[role].includes('approve')

type Props = { readonly firm: WireFirm; readonly member: WireFirmMember | undefined; readonly onClose: () => void }

/**
 * Invites somebody, or changes or ends a member. Whatever gives or takes a role that approves becomes a request, which the others have to
 * approve: nobody outvotes the rule by adding friends.
 */
export function MemberSheet({ firm, member, onClose }: Props) {
  const { t } = useTranslation()
  const form = useId()
  const [draft, setDraft] = useState<Draft>(() => firstDraft(member))
  const [wasSent, setWasSent] = useState(false)
  const needsRequest = approves(draft.role) || (member !== undefined && approves(member.role))
  const save = useSaving(firm, member, onClose)
  const ask = useAsk(firm.id, onClose)
  const isUidWrong = !/^[1-9][0-9]{8}$/.test(draft.uid)
  const isNameMissing = draft.label.trim() === ''
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setWasSent(true)
    if (isUidWrong || isNameMissing) return
    if (needsRequest) ask.send({ kind: 'member', member: wishOf(draft, member) })
    else save.mutate(draft)
  }
  const change = (part: Partial<Draft>): void => {
    setDraft({ ...draft, ...part })
    if (save.isError) save.reset()
    ask.clear()
  }
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={member === undefined ? t('firm.invite') : member.label}
      footer={
        <Button type="submit" form={form} isWide isBusy={save.isPending || ask.isSending}>
          {needsRequest ? t('firm.askApproval') : member === undefined ? t('firm.inviteNow') : t('firm.save')}
        </Button>
      }
    >
      <form id={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
        {member === undefined && (
          <Field
            label={t('firm.memberUid')}
            value={draft.uid}
            inputMode="numeric"
            maxLength={9}
            autoComplete="off"
            hint={t('firm.memberUidHint')}
            onChange={(event) => change({ uid: event.target.value.trim() })}
            error={wasSent && isUidWrong ? t('firm.memberUidWrong') : undefined}
          />
        )}
        <Field
          label={t('firm.memberName')}
          value={draft.label}
          maxLength={firmNameMax}
          autoComplete="off"
          onChange={(event) => change({ label: event.target.value })}
          error={wasSent && isNameMissing ? t('firm.memberNameMissing') : undefined}
        />
        <RoleChoice role={draft.role} onChange={(role) => change({ role })} />
        <AccountChoice firm={firm} accounts={draft.accounts} onChange={(accounts) => change({ accounts })} />
        {needsRequest && <p className="rounded-card bg-warntint p-4 text-13">{t('firm.approvalNeeded')}</p>}
        <FormError error={save.error ?? ask.error} />
      </form>
      {member !== undefined && <EndMember firm={firm} member={member} onClose={onClose} />}
    </Sheet>
  )
}

function firstDraft(member: WireFirmMember | undefined): Draft {
  if (member === undefined) return { uid: '', label: '', role: 'trader', accounts: null }
  return { uid: member.uid, label: member.label, role: member.role as Role, accounts: member.accounts }
}

function wishOf({ uid, label, role, accounts }: Draft, member: WireFirmMember | undefined): WireFirmMemberWish {
  return { ...(member === undefined ? { uid, label } : { member: member.id }), role, accounts }
}

function useSaving(firm: WireFirm, member: WireFirmMember | undefined, onClose: () => void) {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: ({ uid, label, role, accounts }: Draft) =>
      withProof(() =>
        member === undefined
          ? firms.invite(firm.id, { uid, label, role, accounts })
          : firms.changeMember(firm.id, member.id, { label, role, accounts }),
      ),
    onSuccess: () => {
      toast({ text: member === undefined ? t('firm.inviteSent') : t('firm.saved'), tone: 'good' })
      onClose()
    },
    onSettled: refreshFirms,
  })
}

function RoleChoice({ role, onChange }: { readonly role: Role; readonly onChange: (role: Role) => void }) {
  const { t } = useTranslation()
  const words = useRoleWords()
  return (
    <div role="radiogroup" aria-label={t('firm.roleLabel')} className="flex flex-col gap-1">
      <span className="text-13 font-medium text-fg2">{t('firm.roleLabel')}</span>
      {roles.map((one) => (
        <ChoiceRow key={one} isOn={role === one} title={words[one].name} detail={words[one].hint} onClick={() => onChange(one)} />
      ))}
    </div>
  )
}

type AccountProps = {
  readonly firm: WireFirm
  readonly accounts: readonly string[] | null
  readonly onChange: (accounts: readonly string[] | null) => void
}

function AccountChoice({ firm, accounts, onChange }: AccountProps) {
  const { t } = useTranslation()
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="pb-1.5 text-13 font-medium text-fg2">{t('firm.accounts')}</legend>
      <Check isOn={accounts === null} onChange={(isAll) => onChange(isAll ? null : [])}>
        {t('firm.allAccounts')}
      </Check>
      {accounts !== null &&
        firm.accounts.map(({ id, label }) => (
          <Check
            key={id}
            isOn={accounts.includes(id)}
            onChange={(isOn) => onChange(isOn ? [...accounts, id] : accounts.filter((one) => one !== id))}
          >
            {label}
          </Check>
        ))}
    </fieldset>
  )
}

/** Ends a member after a second tap; for one who approves it asks the others. */
function EndMember({ firm, member, onClose }: { readonly firm: WireFirm; readonly member: WireFirmMember; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const [isSure, setIsSure] = useState(false)
  const needsRequest = approves(member.role) && member.state === 'active'
  const ask = useAsk(firm.id, onClose)
  const end = useMutation({
    mutationFn: () => withProof(() => firms.endMember(firm.id, member.id)),
    onSuccess: () => {
      toast({ text: t('firm.ended', { name: member.label }), tone: 'good' })
      onClose()
    },
    onSettled: refreshFirms,
  })
  const confirm = (): void => {
    if (needsRequest) ask.send({ kind: 'member', member: { member: member.id, role: null } })
    else end.mutate()
  }
  return (
    <div className="flex flex-col gap-2 pt-6">
      <FormError error={end.error ?? ask.error} />
      <Button
        variant="danger"
        size="medium"
        isWide
        isBusy={end.isPending || ask.isSending}
        onClick={() => (isSure ? confirm() : setIsSure(true))}
      >
        {isSure ? t('firm.endSure', { name: member.label }) : t('firm.end')}
      </Button>
    </div>
  )
}
