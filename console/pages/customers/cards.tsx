/** Cards about a customer's login, limits and notes. */
import { KeyRound, Monitor } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { change } from '../../app/client.ts'
import { ageOf, amountOf, timeOf } from '../../app/format.ts'
import { useNow } from '../../app/now.ts'
import { t } from '../../app/texts.ts'
import { Ask, say } from '../../parts/dialog.tsx'
import { Badge, Button, Card } from '../../parts/ui.tsx'
import { readAgain } from './queries.ts'
import type { Factors, Money, Note, CustomerProfile } from '@candor/core/protocol/wire/console/customers.ts'

export function SessionsCard({ profile: { sessions, keys, factors } }: { readonly profile: CustomerProfile }): ReactNode {
  const now = useNow(30_000)
  return (
    <Card title={t.customers.sessions}>
      <p className="card-body fg2 small">{factorsText(factors)}</p>
      {sessions.length + keys.length === 0 && <p className="card-body fg3">{t.customers.sessionsNone}</p>}
      <ul className="rows">
        {sessions.map(({ device, ip, createdAt, lastSeenAt }) => (
          <li key={`${createdAt} ${ip} ${device}`}>
            <Monitor size={15} aria-hidden="true" />
            <span className="grow">{device}</span>
            <span className="fg2 tn">{ip}</span>
            <span className="fg3 tn end">{t.common.ago(ageOf(now - lastSeenAt))}</span>
          </li>
        ))}
        {keys.map(({ label, scopes, ips, createdAt, lastUsedAt, lastIp }) => (
          <li key={`${createdAt} ${label}`}>
            <KeyRound size={15} aria-hidden="true" />
            <span className="grow line">
              <span>{t.customers.key(label)}</span>
              <Badge tone="brand">{scopes.join(', ')}</Badge>
            </span>
            <span className="fg2 tn">{lastIp ?? t.customers.keyIps(ips)}</span>
            <span className="fg3 tn end">{lastUsedAt === null ? t.customers.unused : t.common.ago(ageOf(now - lastUsedAt))}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function factorsText({ passkeys, authenticatorSince, recoveryCodes, paymentPasswordSince }: Factors): string {
  const has = [
    passkeys > 0 && t.customers.passkeys(passkeys),
    authenticatorSince !== null && t.customers.authenticator,
    recoveryCodes > 0 && t.customers.codes(recoveryCodes),
    paymentPasswordSince !== null && t.customers.payment,
  ].filter((one) => one !== false)
  return `${t.customers.factors}: ${has.length === 0 ? t.customers.passwordOnly : has.join(' · ')}`
}

type LimitsProps = { readonly profile: CustomerProfile; readonly money: Money | undefined }

export function LimitsCard({ profile: { withdrawalsClosedUntil }, money }: LimitsProps): ReactNode {
  const sums = money?.sums
  const loss = sums === undefined ? 0 : Math.max(0, Number(sums.lossUsdt))
  const share = sums?.lossMaxUsdt ? Math.min(1, loss / Number(sums.lossMaxUsdt)) : undefined
  const lossText = amountOf(String(loss), 2)
  return (
    <Card title={t.customers.limits}>
      <div className="card-body stack">
        {sums !== undefined && (
          <div>
            <p className="line">
              <span>{t.customers.dayLoss}</span>
              <span className="push fg2 tn">
                {sums.lossMaxUsdt === null ? t.customers.lossFree(lossText) : t.customers.lossOf(lossText, amountOf(sums.lossMaxUsdt, 2))}
              </span>
            </p>
            {share !== undefined && (
              <div className={share > 0.9 ? 'bar danger' : share > 0.7 ? 'bar warn' : 'bar'}>
                <i style={{ '--share': share } as object} />
              </div>
            )}
          </div>
        )}
        <p className="line">
          <span>{t.customers.coolOff}</span>
          <span className="push fg2 tn">{sums?.coolOffUntil ? t.customers.until(timeOf(sums.coolOffUntil)) : t.customers.no}</span>
        </p>
        <p className="line">
          <span>{t.customers.withdrawalsAre}</span>
          <span className="push fg2 tn">
            {withdrawalsClosedUntil === null ? t.customers.open : t.customers.until(timeOf(withdrawalsClosedUntil))}
          </span>
        </p>
        <p className="fg3 small">{t.customers.limitsText}</p>
      </div>
    </Card>
  )
}

type NotesProps = { readonly profile: CustomerProfile; readonly mayAdd: boolean }

export function NotesCard({ profile: { uid, notes }, mayAdd }: NotesProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title={t.customers.notes}
      action={
        mayAdd && (
          <Button size="small" look="quiet" onClick={() => setOpen(true)}>
            {t.customers.add}
          </Button>
        )
      }
    >
      <ul className="card-body stack">
        {notes.length === 0 && <li className="fg3">{t.customers.notesNone}</li>}
        {notes.map(({ id, at, author, text }: Note) => (
          <li key={id}>
            <p className="fg3 small tn">{`${timeOf(at)} · ${author}`}</p>
            <p className="said">{text}</p>
          </li>
        ))}
      </ul>
      {isOpen && <NoteDialog uid={uid} onClose={() => setOpen(false)} />}
    </Card>
  )
}

export function NoteDialog({ uid, onClose }: { readonly uid: string; readonly onClose: () => void }): ReactNode {
  const [text, setText] = useState('')
  const id = useId()
  return (
    <Ask
      title={t.customers.noteTitle(uid)}
      text={t.customers.noteText}
      action={t.customers.noteSave}
      isReady={text.trim() !== ''}
      onClose={onClose}
      onDo={async () => {
        await change('POST', `/customers/${uid}/notes`, { text: text.trim() })
        await readAgain(uid)
        say(t.customers.noteDone)
      }}
    >
      <div className="field">
        <label htmlFor={id}>{t.customers.noteField}</label>
        <textarea
          id={id}
          className="input"
          required
          maxLength={2_000}
          value={text}
          onChange={({ target }) => setText(target.value.replaceAll(/[\r\n]+/g, ' '))}
        />
      </div>
    </Ask>
  )
}
