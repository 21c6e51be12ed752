/** Takes products off the market at once: one member alone, with a reason. */
import type { TermKind, Terms } from '@candor/core/protocol/wire/changes.ts'
import { type ReactNode, useState } from 'react'
import { change } from '../../app/client.ts'
import { t } from '../../app/texts.ts'
import { Ask, say } from '../../parts/dialog.tsx'
import { Button } from '../../parts/ui.tsx'
import { Reason, reasonForm } from './form.tsx'
import { readAgain } from './queries.ts'
import type { Area, Done } from './wire.ts'

type HaltProps = {
  readonly area: Exclude<Area, 'postings' | 'presales' | 'firms'>
  readonly kind: TermKind
  readonly subject: string
  readonly name: string
  /** Which products of a country stay open. */
  readonly terms?: Terms
  readonly size?: 'small' | 'usual'
}

export function Halt({ area, kind, subject, name, terms, size = 'small' }: HaltProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const isMarket = kind === 'spot' || kind === 'futures'
  const action = isMarket ? t.terms.halt : t.terms.close
  return (
    <>
      <Button size={size} isDanger aria-label={`${action}: ${name}`} onClick={() => setOpen(true)}>
        {action}
      </Button>
      {isOpen && (
        <HaltDialog
          {...{ area, kind, subject, action, ...(terms === undefined ? {} : { terms }) }}
          title={isMarket ? t.terms.haltTitle(name) : t.terms.closeTitle(name)}
          text={
            isMarket
              ? t.terms.haltText
              : t.terms.closeText[kind as 'margin' | 'conversion' | 'referral' | 'second' | 'country' | 'withdrawal']
          }
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

type DialogProps = Omit<HaltProps, 'name' | 'size'> & {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly onClose: () => void
}

function HaltDialog({ area, kind, subject, terms, title, text, action, onClose }: DialogProps): ReactNode {
  const [reason, setReason] = useState('')
  const halt = async (): Promise<void> => {
    const done = await change<Done>('POST', `/terms/${area}/close`, {
      ...{ kind, subject, reason: reason.trim() },
      ...(terms === undefined ? {} : { terms }),
    })
    await readAgain()
    say(done.state === 'done' ? t.terms.haltDone : t.terms.waits)
  }
  return (
    <Ask {...{ title, text, action, onClose }} isDanger isReady={reasonForm.test(reason)} onDo={halt}>
      <Reason label={t.terms.reason} value={reason} onText={setReason} />
    </Ask>
  )
}
