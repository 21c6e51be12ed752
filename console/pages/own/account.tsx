/** The member's own customer account. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { change, read } from '../../app/client.ts'
import { queryClient } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { Ask, say } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Button, Card, Failed, Skeleton } from '../../parts/ui.tsx'

type Declared = { readonly uid: string | null; readonly at: number } | null

const declaredQuery = queryOptions({
  queryKey: ['own', 'account'],
  queryFn: async () => (await read<{ readonly declared: Declared }>('/auth/account')).declared,
})

export function OwnAccount(): ReactNode {
  const { data, error, refetch } = useQuery(declaredQuery)
  const [isOpen, setOpen] = useState(false)
  const [uid, setUid] = useState('')
  const close = (): void => {
    setOpen(false)
    setUid('')
  }
  return (
    <Card
      title={t.customers.own.title}
      action={
        <Button size="small" onClick={() => setOpen(true)}>
          {t.customers.own.declare}
        </Button>
      }
    >
      {error && data === undefined ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton rows={1} />
      ) : (
        <p className="card-body">
          <b>{data === null ? t.customers.own.unsaid : data.uid === null ? t.customers.own.none : t.customers.own.is(data.uid)}</b>{' '}
          <span className="fg2">{t.customers.own.text}</span>
        </p>
      )}
      {isOpen && (
        <Ask
          title={t.customers.own.title}
          text={t.customers.own.text}
          action={t.customers.own.declare}
          isReady={/^([1-9][0-9]{8})?$/.test(uid.trim())}
          onClose={close}
          onDo={async () => {
            await change('POST', '/auth/account', { uid: uid.trim() === '' ? null : uid.trim() })
            await queryClient.invalidateQueries({ queryKey: ['own', 'account'] })
            say(t.customers.own.done)
          }}
        >
          <TextField
            label={t.customers.own.field}
            help={t.customers.own.help}
            inputMode="numeric"
            autoComplete="off"
            maxLength={9}
            value={uid}
            onText={setUid}
          />
        </Ask>
      )}
    </Card>
  )
}
