/** The own passkeys and authenticator app. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { renderSVG } from 'uqr'
import { change } from '../../app/client.ts'
import { dateOf } from '../../app/format.ts'
import { addPasskey, canUsePasskeys } from '../../app/passkeys.ts'
import { factorsQuery } from '../../app/queries.ts'
import { queryClient } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import type { Passkey } from '../../app/wire.ts'
import { Ask, Modal, say } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { DataTable, type Column } from '../../parts/data-table.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Button, Card, Failed, FaultNote, Skeleton, useWork } from '../../parts/ui.tsx'

const renew = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['own'] })

export function Factors(): ReactNode {
  const { data, error, refetch } = useQuery(factorsQuery)
  if (error && data === undefined) return <Failed cause={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton rows={5} />
  return (
    <>
      <Passkeys passkeys={data.passkeys} />
      <Authenticator since={data.authenticatorSince} />
    </>
  )
}

const cellsOf = ({ label, createdAt, lastUsedAt }: Passkey): Readonly<Record<string, string>> => ({
  ...{ label, createdAt: new Date(createdAt).toISOString(), lastUsedAt: lastUsedAt === null ? '' : new Date(lastUsedAt).toISOString() },
})

function Passkeys({ passkeys }: { readonly passkeys: readonly Passkey[] }): ReactNode {
  const [isAdding, setAdding] = useState(false)
  const [label, setLabel] = useState('')
  const [removed, setRemoved] = useState<Passkey>()
  const [shown, setShown] = useState<Passkey>()
  const columns: readonly Column<Passkey>[] = [
    { id: 'label', header: t.own.name, cell: (one) => <b>{one.label}</b>, by: (one) => one.label },
    { id: 'created', header: t.own.created, cell: (one) => dateOf(one.createdAt), by: (one) => one.createdAt },
    {
      id: 'used',
      header: t.own.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t.common.never : dateOf(lastUsedAt)),
      by: (one) => one.lastUsedAt ?? 0,
    },
    {
      id: 'key',
      header: '',
      isEnd: true,
      cell: (one) => (
        <Button size="small" look="quiet" aria-label={`${t.own.policyKey} ${one.label}`} onClick={() => setShown(one)}>
          {t.own.policyKey}
        </Button>
      ),
    },
    {
      id: 'remove',
      header: '',
      isEnd: true,
      cell: (one) => (
        <Button
          size="small"
          look="quiet"
          isDanger
          disabled={passkeys.length < 2}
          title={passkeys.length < 2 ? t.own.lastPasskey : undefined}
          aria-label={`${t.common.remove} ${one.label}`}
          onClick={() => setRemoved(one)}
        >
          {t.common.remove}
        </Button>
      ),
    },
  ]
  return (
    <Card
      title={t.own.passkeys}
      action={
        <span className="line">
          <SaveTable name="passkeys" rows={passkeys} cells={cellsOf} />
          <Button size="small" disabled={!canUsePasskeys()} onClick={() => setAdding(true)}>
            {t.own.addPasskey}
          </Button>
        </span>
      }
    >
      <p className="card-body fg2">{passkeys.length < 2 ? `${t.own.passkeysText} ${t.own.lastPasskey}` : t.own.passkeysText}</p>
      <DataTable label={t.own.passkeys} columns={columns} rows={passkeys} keyOf={({ id }) => id} />
      {isAdding && (
        <Ask
          title={t.own.addPasskey}
          text={t.own.addPasskeyText}
          action={t.own.addPasskey}
          onClose={() => setAdding(false)}
          onDo={async () => {
            await addPasskey(label.trim())
            await renew()
            setLabel('')
            say(t.own.passkeyAdded)
          }}
        >
          <TextField label={t.enrol.label} help={t.enrol.labelHelp} required maxLength={40} value={label} onText={setLabel} />
        </Ask>
      )}
      {shown && (
        <Modal title={t.own.policyKeyOf(shown.label)} text={t.own.policyKeyText} onClose={() => setShown(undefined)}>
          <code className="small whole-key">{JSON.stringify({ kind: 'passkey', ...shown.key })}</code>
        </Modal>
      )}
      {removed && (
        <Ask
          title={t.own.removePasskey(removed.label)}
          text={t.own.removePasskeyText}
          action={t.common.remove}
          isDanger
          onClose={() => setRemoved(undefined)}
          onDo={async () => {
            await change('DELETE', `/auth/passkeys/${removed.id}`)
            await renew()
            say(t.own.passkeyRemoved)
          }}
        />
      )}
    </Card>
  )
}

type Begun = { readonly secret: string; readonly uri: string }

function Authenticator({ since }: { readonly since: number | null }): ReactNode {
  const [begun, setBegun] = useState<Begun>()
  const [code, setCode] = useState('')
  const { isBusy, fault, run } = useWork(async () => setBegun(await change<Begun>('POST', '/auth/authenticator')))
  return (
    <Card
      title={t.own.authenticator}
      action={
        <Button size="small" disabled={isBusy} onClick={() => void run()}>
          {since === null ? t.own.setUp : t.own.replace}
        </Button>
      }
    >
      <div className="card-body fg2 stack">
        <p>{since === null ? t.own.authenticatorOff : t.own.authenticatorOn(dateOf(since))}</p>
        <FaultNote cause={fault} />
      </div>
      {begun && (
        <Ask
          title={t.own.authenticator}
          text={t.own.scan}
          action={t.own.confirm}
          onClose={() => {
            setBegun(undefined)
            setCode('')
          }}
          onDo={async () => {
            await change('POST', '/auth/authenticator/confirm', { code })
            await renew()
            say(t.own.authenticatorDone)
          }}
        >
          <QrCode uri={begun.uri} />
          <p className="small">
            {t.own.key}: <code data-secret="">{begun.secret.replaceAll(/(.{4})/g, '$1 ').trim()}</code>
          </p>
          <TextField
            label={t.login.code}
            className="input tn"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9]{6}"
            maxLength={6}
            required
            value={code}
            onText={(text) => setCode(text.replaceAll(/\D/g, ''))}
          />
        </Ask>
      )}
    </Card>
  )
}

/** Dark on white in both themes, because cameras read it so. */
function QrCode({ uri }: { readonly uri: string }): ReactNode {
  const source = `data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`
  return <img src={source} alt={t.own.qr} width={200} height={200} style={{ alignSelf: 'center', borderRadius: 8 }} />
}
