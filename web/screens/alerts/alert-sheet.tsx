import { ApiError } from '@candor/client/errors.ts'
import type { WireAlert } from '@candor/core/protocol/wire/own/alerts.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../app/client.ts'
import { useMarkets } from '../../app/config.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { alerts, alertsQuery } from '../../parts/market/alerts-api.ts'
import { AlertFields } from './fields.tsx'
import { faultOf, type Form, formOf, newForm, reduced, requestOf } from './form.ts'

/** Creates a price alert, or changes one. If the price is already beyond the level, it says so and asks. */
export function AlertSheet({
  alert,
  symbol,
  onClose,
}: {
  /** The alert to change; undefined: a new one. */
  readonly alert: WireAlert | undefined
  readonly symbol: string
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const markets = useMarkets()
  const [form, setForm] = useState<Form>(() => (alert === undefined ? newForm(symbol) : formOf(alert)))
  const [isTried, setIsTried] = useState(false)
  const change = (next: Partial<Form>): void => {
    save.reset()
    const other = markets.find((one) => one.symbol === (next.symbol ?? form.symbol))
    setForm(reduced(form, next, other?.kind))
  }
  const save = useMutation({
    mutationFn: (isReachedFine: boolean) => {
      const request = requestOf(form, { isReachedFine })
      return alert === undefined ? alerts.createAlert(request) : alerts.replaceAlert(alert.id, request)
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: alertsQuery })
      toast({ text: alert === undefined ? t('alerts.created') : t('alerts.changed'), tone: 'good' })
      onClose()
    },
  })
  const fault = faultOf(form)
  const isReached = save.error instanceof ApiError && save.error.code === 'ALERT_REACHED'
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={alert === undefined ? t('alerts.new') : t('alerts.edit')}
      footer={
        isReached ? (
          <div className="flex flex-col gap-3">
            <p role="alert" className="rounded-control bg-warntint p-3 text-13">
              {t('alerts.reached')}
            </p>
            <Button isWide isBusy={save.isPending} onClick={() => save.mutate(true)}>
              {t('alerts.reachedFine')}
            </Button>
          </div>
        ) : (
          <Button
            isWide
            isBusy={save.isPending}
            onClick={() => {
              setIsTried(true)
              if (fault === undefined) save.mutate(false)
            }}
          >
            {alert === undefined ? t('alerts.create') : t('alerts.save')}
          </Button>
        )
      }
    >
      <AlertFields form={form} fault={isTried ? fault : undefined} onChange={change} />
      {!isReached && <FormError error={save.error} />}
    </Sheet>
  )
}
