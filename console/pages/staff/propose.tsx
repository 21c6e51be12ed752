/** The form of a proposal about a member of the staff. */
import { type ReactNode, useState } from 'react'
import { change } from '../../app/client.ts'
import { queryClient } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { type Member, type ProposalKind, type Role, roles, type Wish } from '../../app/wire.ts'
import { Ask, say } from '../../parts/dialog.tsx'
import { Choice, TextField } from '../../parts/fields.tsx'

type ProposeProps = { readonly kind: ProposalKind; readonly member?: Member; readonly onClose: () => void }
const nameMax = 80

export function ProposeDialog({ kind, member, onClose }: ProposeProps): ReactNode {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>(member?.role ?? 'compliance')
  const propose = async (reason: string): Promise<void> => {
    await change(
      'POST',
      '/staff/proposals',
      wishOf({ kind, staff: member?.id ?? '', email: email.trim(), name: name.trim(), role, reason }),
    )
    await queryClient.invalidateQueries({ queryKey: ['staff'] })
    await queryClient.invalidateQueries({ queryKey: ['overview'] })
    say(t.staff.proposed)
  }
  return (
    <Ask
      title={member === undefined ? t.staff.kinds[kind] : `${t.staff.kinds[kind]}: ${member.name}`}
      text={t.staff.effects[kind]}
      action={t.staff.submit}
      hasReason
      onDo={propose}
      onClose={onClose}
    >
      {kind === 'invitation' && <TextField label={t.staff.name} required maxLength={nameMax} value={name} onText={setName} />}
      {(kind === 'invitation' || kind === 'address') && (
        <TextField label={kind === 'invitation' ? t.staff.email : t.staff.newEmail} type="email" required value={email} onText={setEmail} />
      )}
      {(kind === 'invitation' || kind === 'role') && (
        <Choice
          label={kind === 'invitation' ? t.staff.role : t.staff.newRole}
          value={role}
          options={roles.map((value) => ({ value, label: t.roles[value] }))}
          onChoose={(value) => setRole(value as Role)}
        />
      )}
    </Ask>
  )
}

type Form = {
  readonly kind: ProposalKind
  readonly staff: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly reason: string
}

/** Only the fields that this kind has, because the exchange refuses others. */
function wishOf({ kind, staff, email, name, role, reason }: Form): Wish {
  if (kind === 'invitation') return { kind, email, name, role, reason }
  if (kind === 'role') return { kind, staff, role, reason }
  if (kind === 'address') return { kind, staff, email, reason }
  return { kind, staff, reason }
}
