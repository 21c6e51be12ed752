import { firmMembersMax, type WireFirm, type WireFirmMember } from '@candor/core/protocol/wire/firm/firm.ts'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { may, useRoleWords } from '../../parts/firm/data.ts'
import { Button } from '../../parts/ui/button.tsx'
import { Tag } from './chips.tsx'
import { MemberSheet } from './member-sheet.tsx'

/** Members and those who are invited, with their roles. */
export function Members({ firm }: { readonly firm: WireFirm }) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<'new' | WireFirmMember>()
  const canManage = may(firm, 'manage')
  const living = firm.members.filter(({ state }) => state !== 'ended')
  return (
    <div className="flex flex-col gap-3 px-4">
      <ul className="overflow-hidden rounded-card bg-s1 [&>*+*]:border-t [&>*+*]:border-line">
        {living.map((member) => (
          <li key={member.id}>
            <MemberRow firm={firm} member={member} onOpen={canManage && member.role !== 'owner' ? () => setOpened(member) : undefined} />
          </li>
        ))}
      </ul>
      {canManage && (
        <Button isWide disabled={living.length >= firmMembersMax} onClick={() => setOpened('new')}>
          <UserPlus size={18} strokeWidth={2} aria-hidden />
          {t('firm.invite')}
        </Button>
      )}
      <p className="text-12 text-fg3">{t('firm.approvers', { count: firm.approvers })}</p>
      {opened !== undefined && (
        <MemberSheet firm={firm} member={opened === 'new' ? undefined : opened} onClose={() => setOpened(undefined)} />
      )}
    </div>
  )
}

type RowProps = { readonly firm: WireFirm; readonly member: WireFirmMember; readonly onOpen: (() => void) | undefined }

function MemberRow({ firm, member, onOpen }: RowProps) {
  const { t } = useTranslation()
  const roles = useRoleWords()
  const { label, contact, role, state, accounts, id } = member
  const seen = accounts?.flatMap((one) => firm.accounts.find((account) => account.id === one)?.label ?? []).join(', ')
  const body = (
    <>
      <span aria-hidden className="flex size-9 shrink-0 items-center justify-center rounded-full bg-s2 text-13 font-semibold text-fg2">
        {label.trim().charAt(0).toUpperCase()}
      </span>
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="text-15 break-words">{id === firm.me.member ? t('firm.you', { name: label }) : label}</span>
        <span className="text-12 break-words text-fg2">{contact}</span>
        {seen !== undefined && <span className="text-12 break-words text-fg3">{seen === '' ? t('firm.noAccounts') : seen}</span>}
      </span>
      <span className="flex shrink-0 flex-col items-end gap-1">
        <span className="text-13 text-fg2">{roles[role].name}</span>
        {state === 'invited' && <Tag tone="wait">{t('firm.invitedTag')}</Tag>}
      </span>
    </>
  )
  const look = 'flex min-h-16 w-full items-center gap-3 px-4 py-2.5 text-start'
  return onOpen === undefined ? (
    <div className={look}>{body}</div>
  ) : (
    <button type="button" onClick={onOpen} className={`${look} active:bg-s2`}>
      {body}
    </button>
  )
}
