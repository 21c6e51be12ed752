import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../app/client.ts'
import { notices } from '../../parts/notices/notices.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { PushDenied, pushSupport, turnPushOff, turnPushOn } from './push.ts'

const key = ['own', 'notices', 'push'] as const

/** Push messages to this browser: whether it gets them, and a button. The browser's question comes only after a tap. */
export function PushSetting() {
  const { t } = useTranslation()
  const own = useQuery({ queryKey: key, queryFn: () => notices.push() })
  const [support, setSupport] = useState(pushSupport)
  const change = useMutation({
    mutationFn: ({ isOn, publicKey }: { readonly isOn: boolean; readonly publicKey: string }) =>
      isOn ? turnPushOn(publicKey) : turnPushOff(),
    onSettled: () => {
      setSupport(pushSupport())
      return queries.invalidateQueries({ queryKey: key })
    },
  })
  const isOn = own.data?.isOn ?? false
  const isDenied = support === 'denied' || change.error instanceof PushDenied
  return (
    <section className="flex flex-col gap-3 rounded-card bg-s2 p-4">
      <h3 className="text-15 font-semibold">{t('notices.pushHere')}</h3>
      <p className="text-13 text-pretty text-fg2">{isOn ? t('notices.pushIsOn') : t('notices.pushHint')}</p>
      {support === 'unsupported' && <p className="text-13 text-pretty text-warn">{t('notices.pushUnsupported')}</p>}
      {support !== 'unsupported' && isDenied && <p className="text-13 text-pretty text-warn">{t('notices.pushDenied')}</p>}
      {support === 'possible' && own.data !== undefined && (
        <Button
          variant={isOn ? 'soft' : 'primary'}
          size="medium"
          className="self-start"
          isBusy={change.isPending}
          onClick={() => change.mutate({ isOn: !isOn, publicKey: own.data.publicKey })}
        >
          {isOn ? t('notices.pushTurnOff') : t('notices.pushTurnOn')}
        </Button>
      )}
      {change.error !== null && !isDenied && <PushFailed error={change.error} />}
    </section>
  )
}

/** The browser's own errors are in English: only refusals of the exchange are shown as they are. */
function PushFailed({ error }: { readonly error: Error }) {
  const { t } = useTranslation()
  if (error instanceof DOMException) return <p className="text-13 text-danger">{t('notices.pushFailed')}</p>
  return <FormError error={error} />
}
