import type { WireMe } from '@candor/core/protocol/wire/user.ts'
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../app/client.ts'
import { navigate, usePlace } from '../app/location.ts'
import { logout } from '../app/me.ts'
import { signedIn } from '../app/session.ts'
import { useTranslation } from '../app/translate.ts'
import { AgreementText } from '../parts/account/agreement-sheet.tsx'
import { ResidenceField, useIsServed } from '../parts/fields/residence-field.tsx'
import { Check } from '../parts/fields/field.tsx'
import { Button } from '../parts/ui/button.tsx'
import { Sheet } from '../parts/ui/sheet.tsx'
import { FormError } from '../parts/ui/state.tsx'

/** Desks that need the country of residence. Everything else goes on without. */
const leveraged: ReadonlySet<string> = new Set(['/contract', '/lever', '/Second'])

/** Asks the logged-in customer for what is still to be declared: first the consent to a new agreement, then the residence. */
export function GatesSheet({ me }: { readonly me: WireMe }) {
  return me.due.includes('agreement') ? <AgreementGate version={me.agreementVersion} /> : <ResidenceGate />
}

/** The changed agreement: accepted, or the customer logs out. */
function AgreementGate({ version }: { readonly version: string }) {
  const { t } = useTranslation()
  const [isRead, setIsRead] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const accept = useGate(() => client.user.acceptAgreement(version))
  const leave = useMutation({ mutationFn: logout })
  return (
    <Sheet
      isOpen
      isHeld
      onClose={() => undefined}
      title={t('gates.agreementTitle')}
      footer={
        <div className="flex flex-col gap-2">
          <FormError error={accept.error ?? leave.error} />
          <div className="flex flex-wrap gap-2">
            <Button variant="soft" className="flex-1" isBusy={leave.isPending} onClick={() => leave.mutate()}>
              {t('gates.logout')}
            </Button>
            <Button className="flex-[2]" disabled={!isRead} isBusy={accept.isPending} onClick={() => accept.mutate()}>
              {t('gates.accept')}
            </Button>
          </div>
        </div>
      }
    >
      <p className="mb-4 text-15">{t('gates.agreementLead')}</p>
      <AgreementText key={attempt} onRead={() => setIsRead(true)} onFailed={() => setAttempt(attempt + 1)} />
    </Sheet>
  )
}

/** The residence of an account from before it was asked for. On a desk with leverage it can't be put off: *Later* leads to Spot. */
function ResidenceGate() {
  const { t } = useTranslation()
  const { path } = usePlace()
  const isServed = useIsServed()
  const [isLater, setIsLater] = useState(false)
  const [country, setCountry] = useState<string>()
  const [isOfAge, setIsOfAge] = useState(false)
  const [wasSent, setWasSent] = useState(false)
  const declare = useGate(() => client.user.declareResidence({ country: country ?? '', isOfAge }))
  const isHeld = leveraged.has(path)
  const putOff = (): void => {
    setIsLater(true)
    if (isHeld) navigate('/spot', { replace: true })
  }
  const submit = (): void => {
    setWasSent(true)
    if (country !== undefined && isServed(country) && isOfAge) declare.mutate()
  }
  return (
    <Sheet
      isOpen={isHeld || !isLater}
      isHeld={isHeld}
      onClose={putOff}
      title={t('gates.residenceTitle')}
      footer={
        <div className="flex flex-wrap gap-2">
          <Button variant="soft" className="flex-1" onClick={putOff}>
            {t('gates.later')}
          </Button>
          <Button className="flex-[2]" isBusy={declare.isPending} onClick={submit}>
            {t('gates.continue')}
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-15 text-fg2">{t('gates.residenceLead')}</p>
        <ResidenceField value={country} onChange={setCountry} isMissing={wasSent} />
        <Check isOn={isOfAge} onChange={setIsOfAge} error={wasSent && !isOfAge ? t('gates.ofAgeMissing') : undefined}>
          {t('gates.ofAge')}
        </Check>
        <p className="text-12 text-fg2">{t('gates.residenceFixed')}</p>
        <FormError error={declare.error} />
      </div>
    </Sheet>
  )
}

function useGate(call: () => Promise<WireMe>): UseMutationResult<WireMe, Error, void> {
  return useMutation({ mutationFn: call, onSuccess: signedIn })
}
