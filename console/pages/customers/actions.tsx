/** A member's actions on a customer. No action sets terms for one customer. */
import { Link } from '@tanstack/react-router'
import { Snowflake, StickyNote } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { change } from '../../app/client.ts'
import { useKeys } from '../../app/keys.ts'
import { t } from '../../app/texts.ts'
import type { Me } from '../../app/wire.ts'
import { Ask, say } from '../../parts/dialog.tsx'
import { Button, buttonClass } from '../../parts/ui.tsx'
import { NoteDialog } from './cards.tsx'
import { readAgain } from './queries.ts'
import type { Contact, CustomerProfile } from '@candor/core/protocol/wire/console/customers.ts'

type ActionsProps = { readonly profile: CustomerProfile; readonly me: Me }

export function Actions({ profile: { uid, frozen, class: group }, me }: ActionsProps): ReactNode {
  const [open, setOpen] = useState<'note' | 'freeze'>()
  const mayNote = me.mayDo.includes('customers.note')
  const mayFreeze = me.mayDo.includes('customers.freeze') && frozen === null && group === 'retail'
  useKeys({
    ...(mayNote ? { n: { what: t.customers.note, run: () => setOpen('note') } } : {}),
    ...(mayFreeze ? { f: { what: t.customers.freeze, run: () => setOpen('freeze') } } : {}),
  })
  const close = (): void => setOpen(undefined)
  return (
    <span className="line">
      {mayNote && (
        <Button hotkey="N" onClick={() => setOpen('note')}>
          <StickyNote size={14} aria-hidden="true" />
          {t.customers.note}
        </Button>
      )}
      {mayFreeze && (
        <Button hotkey="F" isDanger onClick={() => setOpen('freeze')}>
          <Snowflake size={14} aria-hidden="true" />
          {t.customers.freeze}
        </Button>
      )}
      {frozen !== null && me.mayDo.includes('freezes.read') && (
        <Link to="/freezes" className={buttonClass({})}>
          {t.customers.freezes.title}
        </Link>
      )}
      {open === 'note' && <NoteDialog uid={uid} onClose={close} />}
      {open === 'freeze' && (
        <Ask
          title={t.customers.freezeTitle(uid)}
          text={t.customers.freezeText}
          action={t.customers.freeze}
          isDanger
          hasReason
          onClose={close}
          onDo={async (reason) => {
            await change('POST', '/freezes', { uid, reason })
            await readAgain(uid)
            say(t.customers.frozenDone(uid))
          }}
        />
      )}
    </span>
  )
}

type RevealProps = { readonly uid: string; readonly isShown: boolean; readonly onReveal: (contact: Contact | undefined) => void }

export function Reveal({ uid, isShown, onReveal }: RevealProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="link" onClick={() => (isShown ? onReveal(undefined) : setOpen(true))}>
        {isShown ? t.customers.hide : t.customers.reveal}
      </button>
      {isOpen && (
        <Ask
          title={t.customers.revealTitle(uid)}
          text={t.customers.revealText}
          action={t.customers.revealAction}
          hasReason
          onClose={() => setOpen(false)}
          onDo={async (reason) => {
            onReveal(await change<Contact>('POST', `/customers/${uid}/contact`, { reason }))
            await readAgain(uid)
          }}
        />
      )}
    </>
  )
}
