import type { WireNetwork } from '@candor/core/protocol/wire/chains.ts'
import { kindOfAddress } from '@candor/core/risk/addresses.ts'
import { ClipboardPaste } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { GroupedAddress } from '../../parts/addresses/grouped.tsx'
import { Button } from '../../parts/ui/button.tsx'
import { Segmented } from '../../parts/ui/tabs.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { type Draft, type Problem, withAddress } from './form.ts'

type Props = {
  readonly draft: Draft
  readonly networks: readonly WireNetwork[]
  readonly problem: Problem | undefined
  /** The exchange's refusal of the address. */
  readonly said: string | undefined
  readonly onChange: (part: Partial<Draft>) => void
}

/** The address and its network, which is recognized by the address. */
export function AddressField({ draft, networks, problem, said, onChange }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const words = useProblemWords()
  const error = problem === undefined ? said : words[problem]
  const set = (text: string): void => onChange(withAddress(draft, text, networks))
  const paste = async (): Promise<void> => {
    try {
      set(await navigator.clipboard.readText())
    } catch {
      toast({ text: t('addresses.pasteFailed') })
      document.getElementById(id)?.focus()
    }
  }
  const kind = kindOfAddress(draft.address)
  const network = networks.find(({ name }) => name === draft.network)
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <div className="flex items-center justify-between gap-3">
          <label htmlFor={id} className="text-13 font-medium text-fg2">
            {t('addresses.address')}
          </label>
          <Button variant="ghost" size="small" onClick={() => void paste()}>
            <ClipboardPaste size={16} strokeWidth={1.75} aria-hidden />
            {t('addresses.paste')}
          </Button>
        </div>
        <textarea
          id={id}
          rows={2}
          value={draft.address}
          maxLength={200}
          spellCheck={false}
          autoCapitalize="none"
          autoCorrect="off"
          autoComplete="off"
          placeholder="T… / 0x…"
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={`${id}-below`}
          onChange={(event) => set(event.target.value)}
          className={`resize-none rounded-control border bg-s2 px-3.5 py-2.5 font-mono text-15 break-all outline-none focus:border-brand ${error === undefined ? 'border-transparent' : 'border-danger'}`}
        />
        <div
          id={`${id}-below`}
          role={error === undefined ? undefined : 'alert'}
          className={`text-12 ${error === undefined ? 'text-fg3' : 'text-danger'}`}
        >
          {error}
          {error === undefined && kind !== undefined && <GroupedAddress address={draft.address} className="px-3.5 text-13 text-fg" />}
        </div>
      </div>
      <div className="flex flex-col gap-1.5">
        <span className="text-13 font-medium text-fg2">{t('addresses.network')}</span>
        <Segmented
          label={t('addresses.network')}
          choices={networks.map(({ name, label }) => ({ value: name, label }))}
          value={draft.network}
          onChange={(name) => onChange({ network: name })}
        />
        <p role="status" className="text-12 text-fg2 empty:hidden">
          {error === undefined && network !== undefined && kind === network.kind && t('addresses.detected', { network: network.label })}
        </p>
        <p className="text-12 text-fg3">{t('addresses.networkHint')}</p>
      </div>
    </>
  )
}

function useProblemWords(): Readonly<Record<Problem, string>> {
  const { t } = useTranslation()
  return {
    missing: t('addresses.missing'),
    invalid: t('refusals.ADDRESS_INVALID'),
    checksum: t('refusals.ADDRESS_CHECKSUM'),
    'other-network': t('refusals.ADDRESS_OTHER_NETWORK'),
    keyless: t('refusals.ADDRESS_KEYLESS'),
    listed: t('refusals.ADDRESS_LISTED'),
  }
}
