import type { WirePending, WireWebhook, WireWebhookChange } from '@candor/core/protocol/wire/webhooks.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { CopyField } from '../../parts/fields/copy-field.tsx'
import { withProof } from '../../parts/account/proof.ts'
import { ConfirmSheet, Sheet } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { deliveriesQuery, webhooks, webhooksQuery } from './data.ts'
import { Deliveries } from './deliveries.tsx'
import { KindChecks } from './new-webhook-sheet.tsx'
import { SecretSheet } from './secret-sheet.tsx'
import { useProblem } from './words.ts'

type Aside = 'delete' | 'secret'

/** Details of a webhook: its events, its state, and its deliveries. */
export function WebhookSheet({ webhook, onClose }: { readonly webhook: WireWebhook | undefined; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const [aside, setAside] = useState<Aside>()
  const remove = useMutation({
    mutationFn: (id: string) => webhooks.remove(id),
    onSuccess: () => {
      setAside(undefined)
      onClose()
      toast({ text: t('webhooks.deleted'), tone: 'good' })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksQuery }),
  })
  const ask = (what: Aside): void => {
    remove.reset()
    setAside(what)
  }
  return (
    <>
      <Sheet
        isOpen={webhook !== undefined && aside === undefined}
        onClose={() => aside === undefined && onClose()}
        title={webhook === undefined ? '' : new URL(webhook.url).host}
        footer={
          <div className="flex flex-wrap gap-2">
            <Button variant="soft" className="flex-1" onClick={() => ask('secret')}>
              {t('webhooks.renew')}
            </Button>
            <Button variant="danger" className="flex-1" onClick={() => ask('delete')}>
              {t('webhooks.delete')}
            </Button>
          </div>
        }
      >
        {webhook !== undefined && <Details webhook={webhook} />}
      </Sheet>
      <ConfirmSheet
        isOpen={webhook !== undefined && aside === 'delete'}
        onClose={() => setAside(undefined)}
        onConfirm={() => webhook !== undefined && remove.mutate(webhook.id)}
        isBusy={remove.isPending}
        title={t('webhooks.deleteAsk')}
        confirm={t('webhooks.delete')}
        tone="danger"
        note={t('webhooks.deleteHint')}
        error={remove.error}
      />
      <SecretSheet webhook={aside === 'secret' ? webhook : undefined} onClose={() => setAside(undefined)} />
    </>
  )
}

function Details({ webhook }: { readonly webhook: WireWebhook }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { id, url, kinds, pending, off, failingSince } = webhook
  const isOn = off === undefined
  const change = useMutation({
    mutationFn: (body: WireWebhookChange) => withProof(() => webhooks.change(id, body)),
    onSuccess: (_after, body) => {
      if (body.isOn !== undefined) toast({ text: body.isOn ? t('webhooks.switchedOn') : t('webhooks.switchedOff'), tone: 'good' })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksQuery }),
  })
  const trial = useMutation({
    mutationFn: () => webhooks.test(id),
    onSuccess: () => void toast({ text: t('webhooks.tested'), tone: 'good' }),
    onSettled: () => queries.invalidateQueries({ queryKey: deliveriesQuery(id) }),
  })
  const time = format.dateTime(off?.at ?? failingSince ?? 0)
  return (
    <div className="flex flex-col gap-4">
      <CopyField label={t('webhooks.url')} text={url} />
      {off !== undefined && (
        <p className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">
          {off.by === 'failing' ? t('webhooks.offFailing', { time }) : t('webhooks.offOwner', { time })}
        </p>
      )}
      {isOn && pending !== undefined && <Pending id={id} pending={pending} />}
      {isOn && failingSince !== undefined && (
        <p className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">{t('webhooks.failingSince', { time })}</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="soft" size="medium" className="flex-1" isBusy={change.isPending} onClick={() => change.mutate({ isOn: !isOn })}>
          {isOn ? t('webhooks.switchOff') : t('webhooks.switchOn')}
        </Button>
        {isOn && pending === undefined && (
          <Button variant="soft" size="medium" className="flex-1" isBusy={trial.isPending} onClick={() => trial.mutate()}>
            {t('webhooks.test')}
          </Button>
        )}
      </div>
      <FormError error={change.error ?? trial.error} />
      <details className="rounded-control bg-s2">
        <summary className="flex min-h-11 cursor-pointer items-center justify-between gap-3 px-3 py-2 text-13">
          <span className="font-medium">{t('webhooks.kinds')}</span>
          <span className="text-12 text-fg2">{t('webhooks.kindCount', { count: kinds.length })}</span>
        </summary>
        <div className="px-3 pb-3">
          <KindChecks kinds={kinds} onChange={(next) => next.length > 0 && !change.isPending && change.mutate({ kinds: next })} />
        </div>
      </details>
      <Deliveries webhook={webhook} />
    </div>
  )
}

/** Explains why nothing is sent yet, with a button to check the URL again. */
function Pending({ id, pending }: { readonly id: string; readonly pending: WirePending }) {
  const { t } = useTranslation()
  const format = useFormats()
  const problem = useProblem(pending)
  const again = useMutation({
    mutationFn: () => webhooks.challenge(id),
    onSuccess: () => void toast({ text: t('webhooks.asked'), tone: 'good' }),
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksQuery }),
  })
  return (
    <div className="flex flex-col gap-2 rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">
      <p>{t('webhooks.pendingHint')}</p>
      {pending.isDue && <p>{t('webhooks.pendingDue')}</p>}
      {!pending.isDue && problem !== undefined && (
        <p>{t('webhooks.pendingTried', { time: format.dateTime(pending.triedAt ?? 0), problem })}</p>
      )}
      {!pending.isDue && (
        <Button variant="soft" size="small" className="self-start" isBusy={again.isPending} onClick={() => again.mutate()}>
          {t('webhooks.ask')}
        </Button>
      )}
      <FormError error={again.error} />
    </div>
  )
}
