/** The foot of a claimed check: certify, or send back with reasons. */
import type { PaperField } from '@candor/core/protocol/wire/papers.ts'
import type { ReactNode } from 'react'
import { change } from '../../app/client.ts'
import { useKeys } from '../../app/keys.ts'
import { t } from '../../app/texts.ts'
import { say } from '../../parts/dialog.tsx'
import { Button, FaultNote, useWork } from '../../parts/ui.tsx'
import { summaryOf, type Verdicts } from './verdicts.ts'

type DecisionProps = {
  readonly id: string
  readonly uid: string
  readonly fields: readonly PaperField[]
  readonly verdicts: Verdicts
  readonly onDone: () => Promise<void>
}

export function Decision({ id, uid, fields, verdicts, onDone }: DecisionProps): ReactNode {
  const { right, faults, canCertify, canReject, missing } = summaryOf(verdicts, fields)
  const certify = useWork(async () => {
    await change('POST', `/papers/${id}/certify`)
    say(t.identity.certified(uid))
    await onDone()
  })
  const reject = useWork(async () => {
    await change('POST', `/papers/${id}/reject`, { faults })
    say(t.identity.rejected(uid))
    await onDone()
  })
  const isBusy = certify.isBusy || reject.isBusy
  useKeys({
    ...(canCertify ? { a: { what: t.identity.certify, run: () => void certify.run() } } : {}),
    ...(canReject ? { r: { what: t.identity.rejectNone, run: () => void reject.run() } } : {}),
  })
  return (
    <footer className="judge-foot">
      <p>
        <b>{t.identity.progress(right, fields.length, faults.length)}</b>{' '}
        <span className="fg2">
          {missing === 'reason'
            ? t.identity.reasonMissing
            : missing === 'verdict'
              ? t.identity.openFields
              : canCertify
                ? t.identity.allRight
                : t.identity.keeps}
        </span>
      </p>
      <FaultNote cause={certify.fault ?? reject.fault} />
      <div className="line">
        <Button look={canReject ? 'filled' : 'plain'} hotkey="R" disabled={!canReject || isBusy} onClick={() => void reject.run()}>
          {faults.length === 0 ? t.identity.rejectNone : t.identity.reject(faults.length)}
        </Button>
        <Button look={canCertify ? 'filled' : 'plain'} hotkey="A" disabled={!canCertify || isBusy} onClick={() => void certify.run()}>
          {t.identity.certify}
        </Button>
      </div>
    </footer>
  )
}
